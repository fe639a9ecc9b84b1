import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Failpoint } from '../../src/platform/operation/failpoints.ts'
import { makeRepairs, readWhole, type Repairs, uploadInChunks } from '../fixtures/attachments.ts'
import { requireSound } from '../harness/auditor.ts'
import { startWorld } from '../harness/start-world.ts'
import { MARA, TOM } from '../fixtures/people.ts'
import { startServerProcess } from '../harness/server-process.ts'

// A server is killed by SIGKILL while files are attached and detached.
const { api, context, clock } = await startWorld()
const { WAYPOST_DATABASE_URL } = context.config
const SLOW = { timeout: 240_000 }
let repairs: Repairs
let id: number
let file: number

beforeEach(async () => {
  clock.set(new Date()) // The processes use the real clock.
  repairs = await makeRepairs(api, MARA)
  id = await repairs.make()
  file = await uploadInChunks(api, MARA)
})

afterEach(() => requireSound(context))

/** Sends a write to a server that is killed by it; the request must fail. */
async function putToDoomed(at: Failpoint, item: object, headers: Record<string, string> = {}): Promise<void> {
  const environment = { WAYPOST_DATABASE_URL, WAYPOST_LOG_LEVEL: 'error', WAYPOST_CRASH: `${at}:1` }
  const doomed = await startServerProcess(environment, true)
  const body = { values: [{ field_id: repairs.field('attachment'), ...item }] }
  await expect(doomed.api.put(`/artifacts/${id}`, { as: MARA, headers, body })).rejects.toThrow(/hang up|ECONNRESET/)
  expect(await doomed.ended).toBe('SIGKILL')
}

test.each(['file.sealed', 'artifact.written', 'file.attached'] as const)(
  'killed at %s, the file is unattached, the artifact is without it, and a retry succeeds',
  SLOW,
  async (at) => {
    await putToDoomed(at, { value: [file] })
    expect(await repairs.files(id)).toBeUndefined()
    expect((await api.get('/artifact_temporary_files', { as: MARA })).json).toMatchObject([{ id: file }])
    expect((await repairs.put(id, MARA, { value: [file] })).status).toBe(200)
    expect((await readWhole(api, TOM, file)).toString()).toBe('Hello, Waypost!\n')
  },
)

test('killed while attaching under a key, the same request attaches it', SLOW, async () => {
  const headers = { 'idempotency-key': 'attach-after-all' }
  await putToDoomed('file.attached', { value: [file] }, headers)
  const body = { values: [{ field_id: repairs.field('attachment'), value: [file] }] }
  expect((await api.put(`/artifacts/${id}`, { as: MARA, headers, body })).status).toBe(200)
  expect(await repairs.files(id)).toEqual([file])
})

test('killed while detaching, the file has left the field, and the previous version has it', SLOW, async () => {
  await repairs.put(id, MARA, { value: [file] })
  await putToDoomed('file.detached', { value: [] })
  expect(await repairs.files(id)).toEqual([])
  expect((await readWhole(api, TOM, file)).toString()).toBe('Hello, Waypost!\n')
  expect((await repairs.put(id, MARA, { value: [file] })).status).toBe(200)
})
