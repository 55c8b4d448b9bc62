// SPDX-License-Identifier: Apache-2.0
import { complete } from '../methods/complete.ts'
import { discover } from '../methods/discover.ts'
import { promptsList, resourcesList, resourceTemplatesList, toolsList } from '../methods/lists.ts'
import { promptsGet } from '../methods/prompts-get.ts'
import { resourcesRead } from '../methods/resources-read.ts'
import { subscriptionsListen } from '../methods/subscriptions-listen.ts'
import { toolsCall } from '../methods/tools-call.ts'
import { readRequestMeta } from '../request-meta.ts'
import type { Method, Revision } from '../revision.ts'

/** Revision 2026-07-28: stateless, every request carries its own metadata. */
export const REVISION_2026_07_28: Revision = {
  version: '2026-07-28',
  era: 'modern',
  methods: new Map<string, Method>([
    ['server/discover', discover],
    ['tools/list', toolsList],
    ['tools/call', toolsCall],
    ['resources/list', resourcesList],
    ['resources/templates/list', resourceTemplatesList],
    ['resources/read', resourcesRead],
    ['prompts/list', promptsList],
    ['prompts/get', promptsGet],
    ['subscriptions/listen', subscriptionsListen],
    ['completion/complete', complete],
  ]),
  readMeta: readRequestMeta,
  resultType: 'complete',
  namesServer: true,
  hasCacheFields: true,
  resourceNotFoundCode: -32602,
  toolForm: 'full',
  errorStatus: undefined,
}
