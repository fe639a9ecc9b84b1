import { readdir } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { ApiError } from '../messages/errors.ts'
import { spool } from './spool.ts'

const MIB = 1024 * 1024
const PIECE = 'x'.repeat(MIB)

async function* pieces(count: number): AsyncGenerator<string> {
  for (let index = 0; index < count; index++) yield PIECE
}
const LAST_WORDS = () => 'last words'

test('the source is read to its end while the client reads nothing', async () => {
  const budget = { maxBytes: 100 * MIB, usedBytes: 0 }
  const { stream, filled } = spool(pieces(40), budget, LAST_WORDS)
  await filled
  expect(budget.usedBytes).toBe(40 * MIB)

  const bytes = Buffer.concat(await stream.toArray())
  expect(bytes.toString()).toBe(PIECE.repeat(40))
  await expect.poll(() => budget.usedBytes).toBe(0)
})

test('P04 exports use bounded disk space, and none after their clients have left', async () => {
  const budget = { maxBytes: 30 * MIB, usedBytes: 0 }
  const before = await openFiles()
  const first = spool(pieces(20), budget, LAST_WORDS)
  await first.filled
  const second = spool(pieces(20), budget, LAST_WORDS)
  await second.filled
  expect(budget.usedBytes).toBeLessThanOrEqual(30 * MIB + 'last words'.length)
  const read: Buffer[] = []
  const reading = (async () => {
    for await (const chunk of second.stream) read.push(chunk)
  })()
  await expect(reading).rejects.toMatchObject({ reason: 'unavailable' })
  expect(Buffer.concat(read).toString()).toBe(`${PIECE.repeat(10)}last words`)

  first.stream.destroy()
  await expect.poll(() => budget.usedBytes).toBe(0)
  await expect.poll(openFiles).toBeLessThanOrEqual(before)
})

test('the source is left alone once the client has left', async () => {
  const budget = { maxBytes: 100 * MIB, usedBytes: 0 }
  const gate = Promise.withResolvers<void>()
  let produced = 0
  async function* slowly(): AsyncGenerator<string> {
    for (; produced < 10; produced++) {
      yield PIECE
      await gate.promise
    }
  }
  const { stream, filled } = spool(slowly(), budget, LAST_WORDS)
  await expect.poll(() => budget.usedBytes).toBe(MIB)
  stream.destroy()
  gate.resolve()
  await filled
  expect(produced).toBe(1)
  await expect.poll(() => budget.usedBytes).toBe(0)
})

test('a source that fails ends the stream with its error, after the trailer', async () => {
  async function* failing(): AsyncGenerator<string> {
    yield 'one\n'
    throw new ApiError('not_found')
  }
  const { stream } = spool(failing(), { maxBytes: MIB, usedBytes: 0 }, LAST_WORDS)
  const read: string[] = []
  const reading = (async () => {
    for await (const chunk of stream) read.push(String(chunk))
  })()
  await expect(reading).rejects.toMatchObject({ reason: 'not_found' })
  expect(read.join('')).toBe('one\nlast words')
})

/** Files that this process holds open, deleted ones included. */
async function openFiles(): Promise<number> {
  return (await readdir('/proc/self/fd')).length
}
