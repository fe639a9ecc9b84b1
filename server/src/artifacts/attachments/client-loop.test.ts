import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { makeRepairs, readWhole, uploadInChunks } from '../../../test/fixtures/attachments.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { MARA, TOM } from '../../../test/fixtures/people.ts'
import { isFull } from '../../../test/harness/sampling.ts'

const { api } = await startWorld()

const digestOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** Bytes without a pattern that aligns with the chunk size. */
function someBytes(size: number): Buffer {
  const bytes = Buffer.alloc(size)
  for (let at = 0, state = 1; at < size; at++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    bytes[at] = state >> 16
  }
  return bytes
}

test.each([0, 1, 1_048_576, 1_048_577, isFull ? 50_000_000 : 5_000_000])(
  'a file of %i bytes is downloaded as it was uploaded',
  async (size) => {
    const bytes = someBytes(size)
    const repairs = await makeRepairs(api, MARA)
    const file = await uploadInChunks(api, MARA, { content: bytes, name: 'a.bin', type: 'application/octet-stream' })
    const id = await repairs.make({ summary: 'Pump leaks', attachment: [file] })
    expect((await api.get(`/artifacts/${id}`, { as: TOM })).json.values[1].file_descriptions).toMatchObject([{ size }])
    const read = await readWhole(api, TOM, file)
    expect(read.length).toBe(size)
    expect(digestOf(read)).toBe(digestOf(bytes))
  },
)

test('chunks of any size make up the same file', async () => {
  const bytes = someBytes(100_001)
  const repairs = await makeRepairs(api, MARA)
  const file = await uploadInChunks(api, MARA, { content: bytes })
  await repairs.make({ attachment: [file] })
  expect(digestOf(await readWhole(api, TOM, file, 9999))).toBe(digestOf(bytes))
})
