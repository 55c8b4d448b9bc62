// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest'
import { catalogOf, createTestServer } from '../support/server.ts'

const WARNING =
  'A tool name is not 1 to 128 of A-Z, a-z, 0-9, _, . and -; some clients refuse such tools, so rename it'

describe("a tool's name", () => {
  test('[TOOL-06] outside the advice is warned of once, at start-up, and served', async () => {
    const names = ['a b', 'fine', 'ü', 'x'.repeat(129), 'a/b', 'name\n', 'x'.repeat(10_000)]
    const { server, ask, log } = createTestServer({
      catalog: catalogOf({ tools: names.map((name) => ({ name })) }),
      dispatch: (tool) => tool,
    })
    await server.ready()
    for (const name of names) {
      expect(await ask('tools/call', { name })).toMatchObject({ result: { isError: false } })
    }
    await ask('tools/list')
    await server.ready()
    const odd = ['a b', 'ü', 'x'.repeat(129), 'a/b', 'name\n', 'x'.repeat(256)]
    expect(log.lines).toEqual(
      odd.map((tool) => ({ level: 'warn', bindings: { tool }, message: WARNING })),
    )
  })

  test.each(['a', 'A-Z.a_z-0.9', '.', 'x'.repeat(128)])('[TOOL-06] may be %j', async (name) => {
    const { server, log } = createTestServer({ catalog: catalogOf({ tools: [{ name }] }) })
    await server.ready()
    expect(log.lines).toEqual([])
  })
})
