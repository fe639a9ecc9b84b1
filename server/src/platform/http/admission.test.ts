import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { mapInSlices, yieldToOthers } from '../operation/slices.ts'
import { type Admission, createAdmission } from './admission.ts'
import type { Turn } from './turn.ts'

const PERSON = { key: 'account 1' }
const HEAVY = { key: 'account 2' }
const ANONYMOUS = { key: '192.0.2.1' }

let time = 0
let admission: Admission
beforeEach(() => {
  time = 0
  admission = createAdmission(1, () => time)
})
afterEach(() => {
  vi.useRealTimers()
})

/** A request that runs until `end` is called; `state` tells how far it is. */
function open(client: { readonly key: string }, begin = (turn: Turn) => turn.enter()) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const request = { state: 'waiting', end: resolve, done: Promise.resolve() }
  request.done = admission
    .run(client, async (turn) => {
      await begin(turn)
      request.state = 'running'
      await promise
      request.state = 'ended'
    })
    .catch((error: { reason: string }) => {
      request.state = error.reason
    })
  return request
}

async function use(client: { readonly key: string }, milliseconds: number): Promise<void> {
  const request = open(client)
  await pause(0)
  time += milliseconds
  request.end()
  await request.done
}

test('a light account is served while heavy ones wait for the same place', async () => {
  await use(HEAVY, 5000)
  await use(PERSON, 1)
  const heavy = [open(HEAVY), open(HEAVY), open(ANONYMOUS)]
  const person = open(PERSON)
  await pause(0)
  expect(heavy.map(({ state }) => state)).toEqual(['running', 'waiting', 'waiting'])
  expect(person.state).toBe('running')
  for (const request of [...heavy, person]) request.end()
  await Promise.all(heavy.map(({ done }) => done))
  expect(heavy.map(({ state }) => state)).toEqual(['ended', 'ended', 'ended'])
})

test('without light accounts more heavy requests run at once', async () => {
  await use(HEAVY, 5000)
  time += 2000
  const heavy = Array.from({ length: 5 }, () => open(HEAVY))
  await pause(0)
  expect(heavy.map(({ state }) => state)).toEqual([...Array.from({ length: 4 }, () => 'running'), 'waiting'])
  for (const request of heavy) request.end()
})

test('of those that wait, the client with the least cost is next', async () => {
  await use(HEAVY, 5000)
  await use({ key: 'account 3' }, 2000)
  const person = open(PERSON)
  const [first, costly, cheaper] = [open(HEAVY), open(HEAVY), open({ key: 'account 3' })]
  await pause(0)
  expect([first.state, costly.state, cheaper.state]).toEqual(['running', 'waiting', 'waiting'])
  first.end()
  await first.done
  await pause(0)
  expect([costly.state, cheaper.state]).toEqual(['waiting', 'running'])
  for (const request of [person, costly, cheaper]) request.end()
})

test('a request that waits too long is refused with `Retry-After`; a part of an export starts instead', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await admission.run(PERSON, (turn) => turn.enter())
  const first = open(ANONYMOUS)
  const waiting = open(ANONYMOUS)
  const part = open(ANONYMOUS, (turn) => turn.inBackground(async () => {}))
  await vi.advanceTimersByTimeAsync(2500)
  expect([first.state, waiting.state, part.state]).toEqual(['running', 'rate_limited', 'waiting'])
  await vi.advanceTimersByTimeAsync(4000)
  expect(part.state).toBe('running')
  const refused = admission.run(ANONYMOUS, (turn) => turn.enter()).catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(2500)
  expect(await refused).toMatchObject({ headers: { 'retry-after': '2' } })
  for (const request of [first, part]) request.end()
})

test('a request that waits for its client leaves its place to others', async () => {
  await admission.run(PERSON, (turn) => turn.enter())
  const { promise: body, resolve } = Promise.withResolvers<void>()
  const slow = open(ANONYMOUS, async (turn) => {
    await turn.enter()
    await turn.whileWaiting(() => body)
  })
  await pause(0)
  const other = open({ key: '192.0.2.2' })
  await pause(0)
  expect([slow.state, other.state]).toEqual(['waiting', 'running'])
  other.end()
  resolve()
  await other.done
  await pause(0)
  expect(slow.state).toBe('running')
  slow.end()
})

test('a large page of a light account waits in the slow lane, before heavy clients', async () => {
  await use(HEAVY, 5000)
  const other = open(PERSON)
  const [running, waiting] = [open(HEAVY), open(HEAVY)]
  const page = open({ key: 'account 4' }, async (turn) => {
    await turn.enter()
    await turn.slowDown()
  })
  await pause(0)
  expect([running.state, waiting.state, page.state]).toEqual(['running', 'waiting', 'running'])
  for (const request of [other, running, waiting, page]) request.end()
})

test('an account that repeats requests without a pause stays heavy; one that pauses becomes light again', async () => {
  await use(HEAVY, 5000)
  const person = open(PERSON)
  const [running, waiting] = [open(HEAVY), open(HEAVY)]
  await pause(0)
  time += 60_000
  const more = open(HEAVY)
  await pause(0)
  expect([running.state, waiting.state, more.state]).toEqual(['running', 'waiting', 'waiting'])
  for (const request of [running, waiting, more]) request.end()
  await more.done
  time += 60_000
  const blocker = open(ANONYMOUS)
  const later = open(HEAVY)
  await pause(0)
  expect(later.state).toBe('running')
  for (const request of [person, blocker, later]) request.end()
})

test('while many wait, the slow lane rests after each request', async () => {
  admission = createAdmission()
  const person = open(PERSON)
  const running = open(ANONYMOUS)
  await pause(0)
  const waiting = Array.from({ length: 10 }, (_, at) => open({ key: `192.0.2.${at + 2}` }))
  await pause(400) // The place then stays empty for a second.
  running.end()
  await running.done
  await pause(60)
  expect(waiting.filter(({ state }) => state === 'running')).toHaveLength(0)
  await expect.poll(() => waiting.filter(({ state }) => state === 'running').length).toBe(1)
  for (const request of [person, ...waiting]) request.end()
})

test('slices of a slow request wait while a fast one runs, but not for long', async () => {
  admission = createAdmission()
  const person = open(PERSON)
  await pause(0)
  await admission.run(ANONYMOUS, async (turn) => {
    await turn.enter()
    const began = performance.now()
    await yieldToOthers()
    expect(performance.now() - began).toBeGreaterThan(40)
    person.end()
    await person.done
    const yields: number[] = []
    while (yields.length < 5) {
      const again = performance.now()
      await yieldToOthers()
      yields.push(performance.now() - again)
    }
    expect(Math.min(...yields)).toBeLessThan(40)
  })
})

test('mapping in slices keeps the order and lets timers run in between', async () => {
  let ticks = 0
  const timer = setInterval(() => ticks++, 1)
  const spin = (item: number) => {
    const until = performance.now() + 1
    while (performance.now() < until);
    return item * 2
  }
  const items = Array.from({ length: 30 }, (_, at) => at)
  expect(await mapInSlices(items, spin)).toEqual(items.map((item) => item * 2))
  clearInterval(timer)
  expect(ticks).toBeGreaterThan(3)
})
