// SPDX-License-Identifier: Apache-2.0
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { type Collector, createCollector } from '@beam-mcp/connectome/observed'
import { startTracer } from '@beam-mcp/connectome/tracer'
import { expect, onTestFinished, test } from 'vitest'
import { refusalOf } from '../refusal.ts'

const ECHO =
  "const { parentPort } = require('node:worker_threads'); parentPort.on('message', (m) => parentPort.postMessage({ echo: m }))"
const CHILD = fileURLToPath(new URL('./fixtures/child.cjs', import.meta.url))

function startCollector(): Collector {
  const collector = createCollector({ server: 's' })
  collector.start()
  onTestFinished(collector.stop)
  return collector
}

function edges(collector: Collector): string[] {
  return collector
    .snapshot()
    .edges.map(({ from, kind, to, weight }) => `${from} ${kind} ${to} ${weight}`)
}

function startWorker(): Worker {
  const worker = new Worker(ECHO, { eval: true })
  onTestFinished(async () => void (await worker.terminate()))
  return worker
}

test('traces messages to and from a worker thread and a child process, and lets them pass', async () => {
  const collector = startCollector()
  const worker = startWorker()
  const child = fork(CHILD)
  onTestFinished(() => void child.kill())
  const keysBefore = [worker, child].map((target) => Reflect.ownKeys(target))
  const sendBefore = Object.getOwnPropertyDescriptor(child, 'send')
  const tracer = startTracer({ collector, processes: { thumbnails: worker, mailer: child } })
  const answers = [once(worker, 'message'), once(child, 'message')]
  worker.postMessage('MARKER')
  child.send('MARKER')
  expect(await Promise.all(answers)).toEqual([
    [{ echo: 'MARKER' }],
    [{ echo: 'MARKER' }, undefined],
  ])
  const expected = [
    's/process/mailer message s/process/main 1',
    's/process/main message s/process/mailer 1',
    's/process/main supervise s/process/mailer 1',
    's/process/main message s/process/thumbnails 1',
    's/process/main supervise s/process/thumbnails 1',
    's/process/thumbnails message s/process/main 1',
  ]
  expect(edges(collector)).toEqual(expected)
  expect(JSON.stringify([collector.rows(), collector.latency()])).not.toContain('MARKER')

  tracer.stop()
  expect(await tracer.ended).toMatchObject({ events: 4 })
  expect([worker, child].map((target) => Reflect.ownKeys(target))).toEqual(keysBefore)
  expect(Object.getOwnPropertyDescriptor(child, 'send')).toEqual(sendBefore)
  const more = [once(worker, 'message'), once(child, 'message')]
  worker.postMessage(2)
  child.send(2)
  await Promise.all(more)
  expect(edges(collector)).toEqual(expected)
})

test('ends at its limit of messages, and they still arrive', async () => {
  const collector = startCollector()
  const worker = startWorker()
  const tracer = startTracer({ collector, processes: { worker }, maxEvents: 2 })
  for (const n of [1, 2, 3]) {
    const answer = once(worker, 'message')
    worker.postMessage(n)
    expect(await answer).toEqual([{ echo: n }])
  }
  expect(await tracer.ended).toMatchObject({ reason: ['limit', 'max_events', 2], events: 2 })
  expect(Object.hasOwn(worker, 'emit')).toBe(false)
})

test('leaves a method to whoever covered it since', () => {
  const collector = startCollector()
  const worker = startWorker()
  const tracer = startTracer({ collector, processes: { worker } })
  const covered = worker.postMessage
  const theirs = (message: unknown): void => covered.call(worker, message)
  worker.postMessage = theirs
  tracer.stop()
  expect(worker.postMessage).toBe(theirs)
  worker.postMessage(1)
  expect(edges(collector)).toEqual(['s/process/main supervise s/process/worker 1'])
})

test('refuses a worker that is over', async () => {
  const collector = startCollector()
  const worker = startWorker()
  await worker.terminate()
  const start = (): unknown => startTracer({ collector, processes: { worker } })
  expect(refusalOf(start).reason).toEqual(['not_registered', 'worker'])
})
