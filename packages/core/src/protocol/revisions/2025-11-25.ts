// SPDX-License-Identifier: Apache-2.0
import { complete } from '../methods/complete.ts'
import { initialize, initialized, ping, setLevel } from '../methods/handshake.ts'
import { promptsList, resourcesList, resourceTemplatesList, toolsList } from '../methods/lists.ts'
import { promptsGet } from '../methods/prompts-get.ts'
import { resourcesRead } from '../methods/resources-read.ts'
import { toolsCall } from '../methods/tools-call.ts'
import { readLegacyMeta } from '../request-meta.ts'
import type { Method, Revision } from '../revision.ts'

/** Revision 2025-11-25, without anything that a server would have to remember between requests. */
export const REVISION_2025_11_25: Revision = {
  version: '2025-11-25',
  era: 'legacy',
  methods: new Map<string, Method>([
    ['initialize', initialize],
    ['notifications/initialized', initialized],
    ['ping', ping],
    ['logging/setLevel', setLevel],
    ['tools/list', toolsList],
    ['tools/call', toolsCall],
    ['resources/list', resourcesList],
    ['resources/templates/list', resourceTemplatesList],
    ['resources/read', resourcesRead],
    ['prompts/list', promptsList],
    ['prompts/get', promptsGet],
    ['completion/complete', complete],
  ]),
  readMeta: readLegacyMeta,
  resultType: undefined,
  namesServer: false,
  hasCacheFields: false,
  resourceNotFoundCode: -32002,
  toolForm: 'objects',
  errorStatus: 200,
}
