import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Failpoint } from '../src/platform/operation/failpoints.ts'
import { makeRepairs, readWhole, type Repairs, upload } from './attaching.ts'
import { requireSound } from './auditor.ts'
import { startWorld } from './harness.ts'
import { MARA, TOM } from './people.ts'
import { startServerProcess } from './server-process.ts'

// A server is killed by SIGKILL while files come to an artifact and leave it.
const { api, context, clock } = await startWorld()
const { WAYPOST_DATABASE_URL } = context.config
const SLOW = { timeout: 60_000 }
let repairs: Repairs
let id: number
let file: number

beforeEach(async () => {
  clock.set(new Date()) // That of the processes.
  repairs = await makeRepairs(api, MARA)
  id = await repairs.make()
  file = await upload(api, MARA)
})

afterEach(() => requireSound(context))

/** A server that dies of this write; nobody is told that it worked. */
async function putToDoomed(at: Failpoint, item: object, headers: Record<string, string> = {}): Promise<void> {
  const environment = { WAYPOST_DATABASE_URL, WAYPOST_LOG_LEVEL: 'error', WAYPOST_CRASH: `${at}:1` }
  const doomed = await startServerProcess(environment, true)
  const body = { values: [{ field_id: repairs.field('attachment'), ...item }] }
  await expect(doomed.api.put(`/artifacts/${id}`, { as: MARA, headers, body })).rejects.toThrow(/hang up|ECONNRESET/)
  expect(await doomed.ended).toBe('SIGKILL')
}

test.each(['file.sealed', 'artifact.written', 'file.attached'] as const)(
  'killed at %s, the file is free, the artifact is without it, and both go on',
  SLOW,
  async (at) => {
    await putToDoomed(at, { value: [file] })
    expect(await repairs.files(id)).toBeUndefined()
    expect((await api.get('/artifact_temporary_files', { as: MARA })).json).toMatchObject([{ id: file }])
    expect((await repairs.put(id, MARA, { value: [file] })).status).toBe(200)
    expect((await readWhole(api, TOM, file)).toString()).toBe('Hello, Waypost!\n')
  },
)

test('killed when it is attached under a key, the same request attaches it', SLOW, async () => {
  const headers = { 'idempotency-key': 'attach-after-all' }
  await putToDoomed('file.attached', { value: [file] }, headers)
  const body = { values: [{ field_id: repairs.field('attachment'), value: [file] }] }
  expect((await api.put(`/artifacts/${id}`, { as: MARA, headers, body })).status).toBe(200)
  expect(await repairs.files(id)).toEqual([file])
})

test('killed when it is detached, the file has left the field, and the version before it has it', SLOW, async () => {
  await repairs.put(id, MARA, { value: [file] })
  await putToDoomed('file.detached', { value: [] })
  expect(await repairs.files(id)).toEqual([])
  expect((await readWhole(api, TOM, file)).toString()).toBe('Hello, Waypost!\n')
  expect((await repairs.put(id, MARA, { value: [file] })).status).toBe(200)
})
