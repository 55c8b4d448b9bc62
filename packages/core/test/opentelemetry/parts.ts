// SPDX-License-Identifier: Apache-2.0
import {
  type CatalogParts,
  definePrompt,
  defineResourceTemplate,
  defineTool,
  toolError,
} from '@beam-mcp/core/server'

/** What no span, series or event may hold. */
export const SECRET = 'MARKER-never-exported'

/** One entry of each kind, and tools that fail. */
export const PARTS = {
  tools: [
    defineTool({
      name: 'say',
      inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
      handler: ({ text }) => `said ${String(text)}`,
    }),
    defineTool({ name: 'decline', handler: () => toolError(SECRET) }),
    defineTool({
      name: 'break',
      handler: () => {
        throw new Error(SECRET)
      },
    }),
  ],
  resourceTemplates: [
    defineResourceTemplate({ uriTemplate: 'note://{id}', name: 'note', read: () => SECRET }),
  ],
  prompts: [
    definePrompt({ name: 'ask', arguments: [{ name: 'who' }], render: ({ who }) => who ?? 'all' }),
  ],
} satisfies CatalogParts
