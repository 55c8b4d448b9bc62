// SPDX-License-Identifier: Apache-2.0
import type { CatalogEntry } from '@beam-mcp/core'
import { describe, expect, test } from 'vitest'
import { listen, post } from '../support/app.ts'
import { createGate } from '../support/event-streams.ts'
import {
  atlasFor,
  listenFor,
  openListener,
  serveChanges,
  toolsChanged,
  updated,
} from '../support/listening.ts'

const A = 'atlas://city/a'
const B = 'atlas://city/b'
const RIVER = 'atlas://river/nile'
const nameOf = (entry: CatalogEntry): string =>
  'uri' in entry.spec ? String(entry.spec.uri) : String((entry.spec as { name: unknown }).name)

const FAULT = 'A request failed; the caller was told of an internal error'

describe('a listener', () => {
  test('[SUB-15] [SUB-04] is promised what it may read alone', async () => {
    const { app } = await serveChanges({
      ...atlasFor((entry, { principal }) => principal === 'ann' || nameOf(entry) !== A),
      authorize: ({ headers }) => ({ ok: true, principal: headers.authorization }),
    })
    const port = await listen(app)
    const wanted = { resourceSubscriptions: [A, B, RIVER] }
    const ann = await openListener(port, wanted, 1, { headers: { authorization: 'ann' } })
    const bob = await openListener(port, wanted, 1, { headers: { authorization: 'bob' } })
    expect(ann.filter).toEqual(wanted)
    expect(bob.filter).toEqual({ resourceSubscriptions: [B, RIVER] })
    app.mcp.notify.resourceUpdated(A)
    expect(await ann.next()).toEqual(updated(A))
    app.mcp.notify.resourceUpdated(B)
    expect(await bob.next()).toEqual(updated(B))
  })

  test('[SUB-15] is not told of a resource that was hidden from it meanwhile', async () => {
    const hidden = new Set<string>()
    const { app, complaints } = await serveChanges(atlasFor((entry) => !hidden.has(nameOf(entry))))
    const stream = await openListener(await listen(app), { resourceSubscriptions: [A, B] })
    hidden.add(A)
    app.mcp.notify.resourceUpdated(A)
    app.mcp.notify.resourceUpdated(B)
    expect(await stream.next()).toEqual(updated(B))
    hidden.delete(A)
    app.mcp.notify.resourceUpdated(A)
    expect(await stream.next()).toEqual(updated(A))
    expect(complaints()).toEqual([])
  })

  test('[SUB-15] is refused where the rule throws, and told nothing where it throws later', async () => {
    let isBroken = true
    const { app, complaints } = await serveChanges(
      atlasFor((entry) => {
        if (isBroken && nameOf(entry) === A) throw new Error('the rules are gone')
        return true
      }),
    )
    const refused = await post(app, listenFor({ resourceSubscriptions: [A] }))
    expect(refused.statusCode).toBe(500)
    expect(refused.json().error).toEqual({ code: -32603, message: 'Internal error' })
    isBroken = false
    const wanted = { resourceSubscriptions: [A, B], toolsListChanged: true }
    const stream = await openListener(await listen(app), wanted)
    isBroken = true
    app.mcp.notify.resourceUpdated(A)
    app.mcp.notify.resourceUpdated(B)
    expect(await stream.next()).toEqual(updated(B))
    app.mcp.notify.toolsChanged()
    expect(await stream.next()).toEqual(toolsChanged())
    expect(complaints()).toEqual([FAULT, 'A listener could not be told'])
  })

  test('[SUB-11] is told nothing that is decided after it has gone', async () => {
    const decided = createGate<boolean>()
    let questions = 0
    const { app } = await serveChanges({
      ...atlasFor(() => {
        questions += 1
        return questions === 1 ? true : decided.opened
      }),
    })
    const port = await listen(app)
    const stream = await openListener(port, { resourceSubscriptions: [A] })
    app.mcp.notify.resourceUpdated(A)
    await expect.poll(() => questions).toBe(2)
    const rest = stream.rest()
    void app.close()
    const text = await rest
    decided.open(true)
    await new Promise(setImmediate)
    expect(text).not.toContain('resources/updated')
  })

  test('asks the host one question about each resource at a time, however often it changes', async () => {
    let running = 0
    let most = 0
    let questions = 0
    const { app } = await serveChanges(
      atlasFor(async () => {
        questions += 1
        running += 1
        most = Math.max(most, running)
        await new Promise(setImmediate)
        running -= 1
        return true
      }),
    )
    const stream = await openListener(await listen(app), { resourceSubscriptions: [A, B] })
    for (let round = 0; round < 1_000; round += 1) app.mcp.notify.resourceUpdated(A)
    // What changed while the first question was open is told again behind it.
    expect(await stream.next()).toEqual(updated(A))
    expect(await stream.next()).toEqual(updated(A))
    app.mcp.notify.resourceUpdated(B)
    expect(await stream.next()).toEqual(updated(B))
    expect({ most, questions }).toEqual({ most: 1, questions: 5 })
  })
})
