import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { stateDigest } from './attacks/attack.ts'
import { uploadInChunks } from '../fixtures/attachments.ts'
import { foreignCanaries, HIDDEN_CANARY, LEDGER_CANARY, VAULT_CANARY } from '../fixtures/canaries.ts'
import { startWorld } from '../harness/start-world.ts'
import { MARA, type TestPerson, TOM, VICTOR } from '../fixtures/people.ts'
import { FOLDERS, PAPERS, SAFE_FOLDERS } from '../fixtures/seed-ids.ts'
import { seedTestArtifacts } from '../fixtures/seed-artifacts.ts'
import { ABSENT_ID, PRINCIPALS, type Principal } from '../fixtures/subjects.ts'
import { announce, callBytes, patchUpload, TUS } from '../fixtures/uploads.ts'

/** Every URL outside of `/api` that leads to files: who gets what, in every state of a file. */
const { api, context } = await startWorld({ seedOnce: true })
await seedTestArtifacts(context.db)

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)

/** Readers of the bytes; for all others the file looks absent. */
const READERS = {
  attached: ['P1', 'P3', 'P4', 'P5', 'P6', 'P7', 'P8'],
  detached: ['P1', 'P3', 'P4', 'P5', 'P6', 'P7', 'P8'],
  inHiddenField: ['P7', 'P8'],
  detachedFromHiddenField: ['P7', 'P8'],
  inHiddenArtifact: ['P4', 'P6', 'P7', 'P8'],
  inHiddenProject: ['P8'],
  deleted: [],
  freeOfTom: ['P5'],
  uploadedByTom: ['P5'],
  arriving: [],
  expired: [],
  expiredOnItsWay: [],
  absent: [],
} as const satisfies Record<string, readonly Principal[]>
type State = keyof typeof READERS
const states = Object.keys(READERS).filter((key): key is State => key in READERS)
const principals = Object.keys(PRINCIPALS).filter((key): key is Principal => key in PRINCIPALS)

const ids = new Map<State, number>()
const names = new Map<State, string>()
beforeAll(async () => {
  const at = (state: State, id: number, name: string) => {
    ids.set(state, id)
    names.set(state, name)
    return id
  }
  const picture = async (state: State, as: TestPerson, name: string) =>
    at(state, await uploadInChunks(api, as, { name, content: PNG, type: 'image/png' }), name)
  const announced = async (state: State, name: string) =>
    at(state, await announce(api, PAPERS.folders, PNG.length, { name, type: 'image/png', as: TOM }), name)

  await make(TOM, FOLDERS, { papers: [await picture('attached', TOM, 'plan.png')] })
  const emptied = await make(TOM, FOLDERS, { papers: [await picture('detached', TOM, 'old plan.png')] })
  await change(TOM, emptied, { papers: [] })
  await make(MARA, FOLDERS, { secrets: [await picture('inHiddenField', MARA, `${HIDDEN_CANARY}.png`)] })
  const bare = await make(MARA, FOLDERS, {
    secrets: [await picture('detachedFromHiddenField', MARA, `${HIDDEN_CANARY} old.png`)],
  })
  await change(MARA, bare, { secrets: [] })
  const leads = { value: { granted_groups: ['leads'], is_used_by_default: true } }
  const hidden = [await picture('inHiddenArtifact', MARA, `${LEDGER_CANARY}.png`)]
  await make(MARA, FOLDERS, { papers: hidden, seen_by: leads })
  await make(VICTOR, SAFE_FOLDERS, { papers: [await picture('inHiddenProject', VICTOR, `${VAULT_CANARY}.png`)] })
  const lost = await make(TOM, FOLDERS, { papers: [await picture('deleted', TOM, 'lost.png')] })
  await api.delete(`/artifacts/${lost}`, { as: MARA })
  await picture('freeOfTom', TOM, 'free.png')
  await patchUpload(api, await announced('uploadedByTom', 'whole.png'), 0, PNG)
  await patchUpload(api, await announced('arriving', 'half.png'), 0, PNG.subarray(0, 10))
  const late = await picture('expired', TOM, 'late.png')
  const later = await announced('expiredOnItsWay', 'later.png')
  await sql`update file set expires_on = ${context.clock.now()} where id in (${late}, ${later})`.execute(context.db)
  at('absent', ABSENT_ID, 'absent.png')
})

async function make(as: TestPerson, tracker: number, values_by_field: object): Promise<number> {
  const { status, text, json } = await api.post('/artifacts', {
    as,
    body: { tracker: { id: tracker }, values_by_field },
  })
  if (status !== 201) throw new Error(`The artifact was not made: ${text}`)
  return json.id
}

async function change(as: TestPerson, id: number, values_by_field: object): Promise<void> {
  const { status, text } = await api.put(`/artifacts/${id}`, { as, body: { values_by_field } })
  if (status !== 200) throw new Error(`The artifact was not changed: ${text}`)
}

interface Ask {
  readonly method: string
  readonly headers?: Record<string, string>
  readonly body?: Buffer
  readonly path: (id: number, name: string) => string
  readonly done: number
  /** The status for the uploader of an unfinished upload in chunks. */
  readonly growing?: number
}

const download = (id: number, name: string) => `/files/${id}/${encodeURIComponent(name)}`
const READS: Record<string, Ask> = {
  GET: { method: 'GET', path: download, done: 200 },
  HEAD: { method: 'HEAD', path: download, done: 200 },
  'a part': { method: 'GET', path: download, headers: { range: 'bytes=0-3' }, done: 206 },
  'a part past the end': { method: 'GET', path: download, headers: { range: 'bytes=9999-' }, done: 416 },
  'what is unchanged': { method: 'GET', path: download, headers: { 'if-none-match': '*' }, done: 304, growing: 200 },
  'another name': { method: 'GET', path: (id) => download(id, 'other.png'), done: 302 },
  'no name': { method: 'GET', path: (id) => `/files/${id}`, done: 302 },
  'the preview': { method: 'GET', path: (id) => `/files/${id}/preview`, done: 200, growing: 404 },
  'HEAD of the preview': { method: 'HEAD', path: (id) => `/files/${id}/preview`, done: 200, growing: 404 },
  'a chunk': { method: 'GET', path: (id) => `/api/artifact_files/${id}`, done: 200 },
}
const upload = (id: number) => `/uploads/${id}`
const bytes = { 'content-type': 'application/offset+octet-stream' }
/** `done`: the status for the uploader during the upload; none of these changes anything. */
const WRITES: Record<string, Ask> = {
  HEAD: { method: 'HEAD', path: upload, headers: TUS, done: 200 },
  'PATCH at another place': {
    method: 'PATCH',
    path: upload,
    headers: { ...TUS, ...bytes, 'upload-offset': '9' },
    body: PNG,
    done: 409,
  },
  'PATCH of too much': {
    method: 'PATCH',
    path: upload,
    headers: { ...TUS, ...bytes, 'upload-offset': '10' },
    body: PNG,
    done: 413,
  },
}
const DELETE: Ask = { method: 'DELETE', path: upload, headers: TUS, done: 204 }

async function ask({ method, path, headers = {}, body }: Ask, principal: Principal, state: State) {
  const as: TestPerson | undefined = PRINCIPALS[principal]
  const address = path(ids.get(state) ?? 0, names.get(state) ?? '')
  const answer = await callBytes(api, address, { ...(as && { as }), method, headers, ...(body && { body }) })
  const searched = `${[...answer.headers].join('\n')}\n${answer.text}`
  expect(foreignCanaries(searched, as), `${principal} ${state}`).toEqual([])
  return answer
}

function refusalFor(principal: Principal): number {
  if (principal === 'P1') return 401
  return principal === 'P9' ? 403 : 404
}

/** Without request-specific parts. */
function masked({ status, headers, text }: Awaited<ReturnType<typeof ask>>): string {
  const kept = [...headers].filter(([name]) => !['date', 'x-request-id', 'connection'].includes(name))
  return `${status} ${JSON.stringify(kept)} ${text.replace(/"request_id":"[^"]*"/, '')}`
}

describe.each(Object.entries(READS))('%s of a file', (_, read) => {
  test.each(principals)('Z12 is shown to %s if the file is readable, and else not found', async (principal) => {
    const wrong: string[] = []
    const refusals = new Set<string>()
    for (const state of states) {
      const answer = await ask(read, principal, state)
      const isReader = READERS[state].some((each) => each === principal)
      const done = state === 'freeOfTom' ? (read.growing ?? read.done) : read.done
      const wanted = isReader ? done : refusalFor(principal)
      if (answer.status !== wanted) wrong.push(`${state}: ${answer.status} instead of ${wanted}: ${answer.text}`)
      if (!isReader) refusals.add(masked(answer))
    }
    expect(wrong).toEqual([])
    expect(refusals.size, [...refusals].join('\n')).toBeLessThanOrEqual(1)
  })
})

describe.each(Object.entries({ ...WRITES, DELETE }))('%s of an upload', (_, write) => {
  test.each(principals)('Z15 finds nothing for %s except own unfinished uploads', async (principal) => {
    const before = await stateDigest(context)
    const wrong: string[] = []
    const refusals = new Set<string>()
    for (const state of states) {
      const isHis = principal === 'P5' && state === 'arriving'
      if (isHis && write === DELETE) continue // The others have to find it.
      const answer = await ask(write, principal, state)
      const wanted = isHis ? write.done : refusalFor(principal)
      if (answer.status !== wanted) wrong.push(`${state}: ${answer.status} instead of ${wanted}: ${answer.text}`)
      if (!isHis) refusals.add(masked(answer))
    }
    expect(wrong).toEqual([])
    expect(refusals.size, [...refusals].join('\n')).toBe(1)
    expect(await stateDigest(context)).toEqual(before)
  })
})

test.each(principals)('Z12/ids %s who enumerates all numbers finds only readable files', async (principal) => {
  const known = [...ids].filter(([state]) => state !== 'absent').map(([, id]) => id)
  const statuses = new Map<number, number>()
  const as: TestPerson | undefined = PRINCIPALS[principal]
  for (let id = Math.min(...known) - 2; id <= Math.max(...known) + 2; id++)
    statuses.set(id, (await callBytes(api, `/files/${id}/x`, { ...(as && { as }) })).status)
  const readable = states.filter((state) => READERS[state].some((each) => each === principal))
  const isReadable = (id: number) => readable.some((state) => ids.get(state) === id)
  expect([...statuses]).toEqual([...statuses.keys()].map((id) => [id, isReadable(id) ? 302 : refusalFor(principal)]))
})
