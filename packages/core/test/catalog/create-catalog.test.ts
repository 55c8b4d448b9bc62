// SPDX-License-Identifier: Apache-2.0
import { type CatalogParts, createCatalog } from '@beam-mcp/core/server'
import { describe, expect, test } from 'vitest'

const run = (): string => ''
const inputSchema = { type: 'object' }

describe('createCatalog refuses', () => {
  test.each<readonly [string, unknown, string, string]>([
    [
      'nothing',
      undefined,
      'BEAM_ERR_OPT_INVALID',
      "Option 'createCatalog' takes an object of lists",
    ],
    [
      'a list that it does not know',
      { tool: [] },
      'BEAM_ERR_OPT_INVALID',
      "Option 'createCatalog: tool' is unknown; did you mean 'createCatalog: tools'?",
    ],
    [
      'what is no list',
      { tools: {} },
      'BEAM_ERR_OPT_INVALID',
      "Option 'createCatalog: tools' must be a list",
    ],
    ['no object', { prompts: ['p'] }, 'BEAM_ERR_CATALOG_ENTRY', 'a prompt: it must be an object'],
    [
      'a tool without a handler',
      { tools: [{ name: 't', execute: run }] },
      'BEAM_ERR_CATALOG_ENTRY',
      "tool 't': handler is required: a function that answers for it",
    ],
    [
      'a resource that nothing reads',
      { resources: [{ uri: 'a:1', name: 'one' }] },
      'BEAM_ERR_CATALOG_ENTRY',
      "resource 'a:1': read is required: a function that answers for it",
    ],
    [
      'a template among the resources',
      { resources: [{ uriTemplate: 'a:{x}', name: 'any', read: run }] },
      'BEAM_ERR_CATALOG_ENTRY',
      'a resource without a name: uri must be a string; see that it stands in the list of its kind',
    ],
    [
      'a prompt that nothing renders',
      { prompts: [{ name: 'p' }] },
      'BEAM_ERR_CATALOG_ENTRY',
      "prompt 'p': render is required: a function that answers for it",
    ],
    [
      'a completer beside the arguments of a prompt',
      { prompts: [{ name: 'p', render: run, arguments: [{ name: 'a' }], complete: { a: run } }] },
      'BEAM_ERR_CATALOG_ENTRY',
      "prompt 'p': complete belongs to one of its arguments, beside the name of that",
    ],
    [
      'a schema that nothing would enforce',
      { tools: [{ name: 't', handler: run, inputschema: {} }] },
      'BEAM_ERR_CATALOG_ENTRY',
      "tool 't': 'inputschema' is unknown; write 'inputSchema'",
    ],
    [
      'a limit that nothing would keep',
      { tools: [{ name: 't', handler: run, timeout_ms: 5 }] },
      'BEAM_ERR_CATALOG_ENTRY',
      "tool 't': 'timeout_ms' is unknown; write 'timeoutMs'",
    ],
    [
      'a media type that nobody would see',
      { resources: [{ uri: 'a:1', name: 'one', read: run, mimetype: 'text/plain' }] },
      'BEAM_ERR_CATALOG_ENTRY',
      "resource 'a:1': 'mimetype' is unknown; write 'mimeType'",
    ],
  ])('%s', (_, parts, code, message) => {
    expect(() => createCatalog(parts as CatalogParts)).toThrowError(
      expect.objectContaining({ code, message }),
    )
  })
})

test('createCatalog takes members of the host beside those that it knows', () => {
  const spec = { name: 't', handler: run, scopes: ['read'], tag: 1, inputschema: {}, inputSchema }
  expect(() => createCatalog({ tools: [spec] })).not.toThrow()
})
