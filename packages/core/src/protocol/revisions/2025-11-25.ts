// SPDX-License-Identifier: Apache-2.0
import { initialize, initialized, ping } from '../methods/handshake.ts'
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
    ['tools/list', toolsList],
    ['tools/call', toolsCall],
    ['resources/list', resourcesList],
    ['resources/templates/list', resourceTemplatesList],
    ['resources/read', resourcesRead],
    ['prompts/list', promptsList],
    ['prompts/get', promptsGet],
  ]),
  readMeta: readLegacyMeta,
  resultType: undefined,
  namesServer: false,
  hasCacheFields: false,
  resourceNotFoundCode: -32002,
  toolForm: 'objects',
  errorStatus: 200,
}
