// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest'
import { errorAnswer, kept, see, valueResult } from '../support/answers.ts'
import { createApp, echoCatalog, post } from '../support/app.ts'
import { call } from '../support/messages.ts'

describe('S01: ids that are falsy, textual, or not ids', () => {
  test.each([[0], [-1], [''], ['0'], ['7'], ['ü☃']])(
    '[ENV-02] [ENV-03] the id %j comes back as it was sent',
    async (id) => {
      const { options, seen } = echoCatalog()
      const app = await createApp(options)
      const response = await post(app, call('echo', { text: 'hi' }, id))
      expect(see(response)).toEqual(kept(200, valueResult({ text: 'hi' }, id)))
      expect(seen).toEqual([{ tool: 'echo', args: { text: 'hi' } }])
    },
  )

  test.each([[null], [1.5], [true], [{}], [[]]])(
    '[ENV-02] [ENV-04] %j is no id: it is refused and not repeated',
    async (id) => {
      const { options, seen } = echoCatalog()
      const app = await createApp(options)
      const response = await post(app, call('echo', { text: 'hi' }, id))
      expect(see(response)).toEqual(
        kept(400, errorAnswer(-32600, 'Invalid Request: id must be a string or an integer')),
      )
      expect(seen).toHaveLength(0)
    },
  )
})
