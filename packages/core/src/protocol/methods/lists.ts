// SPDX-License-Identifier: Apache-2.0
import type { CompiledTool } from '../../catalog/compile-tool.ts'
import type { Call, Method } from '../revision.ts'
import { isVisible } from '../visibility.ts'
import { listPage } from './list-page.ts'

/**
 * `tools/list`: the whole list in the catalog's own order, never paged; a cursor is ignored.
 *
 * @see MCP 2026-07-28, Tools, Listing Tools: TOOL-01 to TOOL-04
 */
export const toolsList: Method = {
  run: async (call) => {
    const { tools, toolsJson } = await call.service.access.current(call.context)
    const json =
      call.service.catalog.allows === undefined
        ? toolsJson[call.revision.toolForm]
        : await visibleTools(call, tools)
    return { members: json + call.cacheText.tools }
  },
}

async function visibleTools(call: Call, tools: ReadonlyMap<string, CompiledTool>): Promise<string> {
  const visible: string[] = []
  for (const { entry, json } of tools.values()) {
    if (await isVisible(call, entry)) visible.push(json[call.revision.toolForm])
  }
  return `"tools":[${visible.join(',')}]`
}

/** `resources/list`, by uri. @see RES-02 */
export const resourcesList: Method = {
  run: async (call) => {
    const { resources } = await call.service.access.current(call.context)
    return listPage(call, resources, { member: 'resources', kind: 'resources', cache: 'resources' })
  },
}

/** `resources/templates/list`, by template. @see RES-03 */
export const resourceTemplatesList: Method = {
  run: async (call) => {
    const { templates } = await call.service.access.current(call.context)
    return listPage(call, templates, {
      member: 'resourceTemplates',
      kind: 'resource_templates',
      cache: 'resources',
    })
  },
}

/** `prompts/list`, by name. @see PROM-02 */
export const promptsList: Method = {
  run: async (call) => {
    const { prompts } = await call.service.access.current(call.context)
    return listPage(call, prompts, { member: 'prompts', kind: 'prompts', cache: 'prompts' })
  },
}
