import { Client } from 'pg'
import { versionEtag } from '../../server/src/platform/wire/etag.ts'
import { hash } from '../../server/src/commands/bench-data/chance.ts'
import type { HttpConnection, RawReply } from './http-connection.ts'
import { benchAccessKey, viewerAccessKey } from './keys.ts'
import { drawSkewed, drawUniformly, type DrawRank } from '../skew.ts'
import { createSignInCaller, type SignInMethod, SIGN_IN_METHODS } from './sign-in.ts'
import { linksShown, readableBy, valuesShown } from '../../server/src/commands/bench-data/layout.ts'
import { type Ids, generateArtifact } from '../../server/src/commands/bench-data/generate-artifact.ts'
import { POINTS, type Role } from '../../server/src/commands/bench-data/bench-tracker.ts'

/** The load of `-skewed` is drawn by Zipf's law; `mixed-skewed` is nine reads and one write. */
type SkewedOperation = 'get-skewed' | 'not-modified-skewed' | 'mixed-skewed'
export type BenchOperation = 'get' | 'not-modified' | 'xml' | 'put' | 'post' | 'list' | SkewedOperation | SignInMethod

export interface BenchTarget {
  readonly operation: BenchOperation
  readonly role: Role
  readonly size: number
  readonly ids: Ids
  readonly databaseUrl: string
  readonly seconds: number
  /** The number of callers of a skewed load. */
  readonly viewers: number
  /** Another seed draws other artifacts. */
  readonly seed: number
  /** For `list`: the requests, in rotation. */
  readonly questions?: readonly ExpectedList[]
}

/** A list request with its expected result. */
export interface ExpectedList {
  readonly path: string
  readonly rows: number
  readonly size: number
}

/** The request of one connection, sent repeatedly; throws on a wrong response. */
export type Caller = () => Promise<void>

/** Per second of measurement. */
const KNOWN_ETAGS_PER_SECOND = 100
const COMPARE_EVERY_READS = 1000
/** One in ten requests of a mixed load is a write. */
const WRITE_EVERY = 10
const STREAM = 1000
const VIEWER_STREAM = 500
const MAX_CONNECTIONS = 8

/** Loads everything that the callers need before the measurement starts. */
export async function createCallers(target: BenchTarget, connections: readonly HttpConnection[]): Promise<Caller[]> {
  if (target.operation === 'put') return createWriters(target, connections)
  const rank = createRank(target)
  if (target.operation.startsWith('not-modified')) return createRevalidators(target, connections, rank)
  if (target.operation === 'post') return connections.map((connection) => createCreator(target, connection))
  const way = SIGN_IN_METHODS.find((each) => each === target.operation)
  if (way) return Promise.all(connections.map((connection) => createSignInCaller(connection, way)))
  if (target.operation === 'list') return connections.map((connection, at) => createListReader(target, connection, at))
  return connections.map((connection, at) => createReader(target, connection, createDraw(target, rank, at)))
}

function isSkewed({ operation }: BenchTarget): boolean {
  return operation.endsWith('-skewed')
}

function createRank(target: BenchTarget): DrawRank {
  const { count } = readableBy(target.role, target.size)
  return isSkewed(target) ? drawSkewed(count) : drawUniformly(count)
}

/** The headers of the n-th request: a skewed load has several callers. */
function createHeaders(target: BenchTarget, at: number): (turn: number) => string {
  if (!isSkewed(target)) return () => headersOf(target)
  const all = Array.from({ length: target.viewers }, (_, viewer) => `X-Auth-AccessKey: ${viewerAccessKey(viewer)}\r\n`)
  return (turn) => all[hash(turn, VIEWER_STREAM + at) % all.length] ?? ''
}

function headersOf({ role }: BenchTarget): string {
  return `X-Auth-AccessKey: ${benchAccessKey(role)}\r\n`
}

/** Indexes of artifacts that the role may read; each connection has its own sequence. */
function createDraw({ role, size, seed }: BenchTarget, rank: DrawRank, at: number): () => number {
  const { place } = readableBy(role, size)
  let turn = 0
  return () => place(rank(turn++, STREAM + at + MAX_CONNECTIONS * seed))
}

function createReader(target: BenchTarget, connection: HttpConnection, draw: () => number): Caller {
  const isXml = target.operation === 'xml'
  const headersAt = createHeaders(target, target.seed)
  const accept = isXml ? 'Accept: application/xml\r\n' : ''
  let turn = 0
  return async () => {
    const place = draw()
    const headers = headersAt(turn++) + accept
    if (target.operation === 'mixed-skewed' && turn % WRITE_EVERY === 0)
      return checkRead(target, await writePoints(target, connection, { id: place + 1, headers, turn }), place)
    const reply = await connection.send('GET', `/api/artifacts/${place + 1}`, headers)
    if (isXml) checkXml(reply, place + 1)
    else checkRead(target, reply, place)
    if (!isXml && turn % COMPARE_EVERY_READS === 1) compare(target, reply, place)
  }
}

function writePoints(
  { ids }: BenchTarget,
  connection: HttpConnection,
  { id, headers, turn }: { id: number; headers: string; turn: number },
): Promise<RawReply> {
  const body = { values: [{ field_id: ids.fields['points'], value: POINTS[turn % POINTS.length] }] }
  return connection.send('PUT', `/api/artifacts/${id}`, headers, JSON.stringify(body))
}

async function createRevalidators(
  target: BenchTarget,
  connections: readonly HttpConnection[],
  rank: DrawRank,
): Promise<Caller[]> {
  const share = Math.ceil((KNOWN_ETAGS_PER_SECOND * target.seconds) / connections.length)
  return Promise.all(
    connections.map(async (connection, at) => {
      const draw = createDraw(target, rank, at)
      const headersAt = createHeaders(target, at)
      const known: { path: string; headers: string }[] = []
      for (let turn = 0; turn < share; turn++) {
        const path = `/api/artifacts/${draw() + 1}`
        const { etag } = await connection.send('GET', path, headersAt(turn))
        known.push({ path, headers: `${headersAt(turn)}If-None-Match: ${etag}\r\n` })
      }
      let turn = 0
      return async () => {
        const { path = '', headers = '' } = known[turn++ % known.length] ?? {}
        const { status } = await connection.send('GET', path, headers)
        if (status !== 304) throw new Error(`${path}: ${status} instead of 304`)
      }
    }),
  )
}

interface State {
  id: number
  version: number
  status: number
  points: number | null
}

/** Each connection writes its own artifacts, so it knows their versions without reading. */
async function createWriters(target: BenchTarget, connections: readonly HttpConnection[]): Promise<Caller[]> {
  const { ids } = target
  const draw = createDraw(target, createRank(target), 0)
  const wanted = [...new Set(Array.from({ length: Math.min(20_000, target.size) }, () => draw() + 1))]
  const client = new Client({ connectionString: target.databaseUrl })
  await client.connect()
  const { rows } = await client.query<State>(
    `select id::integer, version, (field_values #>> array[$2, '0'])::integer as status,
       (field_values ->> $3)::integer as points
     from artifact where id = any($1)`,
    [wanted, String(ids.fields['status']), String(ids.fields['points'])],
  )
  await client.end()
  return connections.map((connection, at) =>
    createWriter(
      target,
      connection,
      rows.filter((_, index) => index % connections.length === at),
    ),
  )
}

function createWriter(target: BenchTarget, connection: HttpConnection, known: readonly State[]): Caller {
  const { fields, values } = target.ids
  let turn = 0
  return async () => {
    const state = known[hash(turn++, known.length) % known.length]
    if (!state) throw new Error('There is nothing to write to.')
    const status = other(values['status'] ?? [], state.status, turn)
    const points = other(POINTS, state.points ?? -1, turn)
    const body = JSON.stringify({
      values: [
        { field_id: fields['status'], bind_value_ids: [status] },
        { field_id: fields['points'], value: points },
      ],
    })
    const headers = `${headersOf(target)}If-Match: ${versionEtag({ kind: 'artifact', ...state })}\r\n`
    const reply = await connection.send('PUT', `/api/artifacts/${state.id}`, headers, body)
    Object.assign(state, { version: state.version + 1, status, points })
    checkRead(target, reply, state.id - 1)
    if (!reply.body.includes(`"label":"Points","value":${points}`)) throw wrong(reply, 'points')
  }
}

/** Checks that every response has the expected number of rows and the expected total. */
function createListReader(target: BenchTarget, connection: HttpConnection, at: number): Caller {
  const { questions = [] } = target
  const headers = headersOf(target)
  let turn = at
  return async () => {
    const asked = questions[turn++ % questions.length]
    if (!asked) throw new Error('There is nothing to ask.')
    const reply = await connection.send('GET', asked.path, headers)
    if (reply.status !== 200) throw wrong(reply, 'status')
    if (reply.size !== asked.size) throw wrong(reply, 'size')
    if (rowsIn(reply) !== asked.rows) throw wrong(reply, 'rows')
  }
}

/** Counts artifacts of a list, or groups. */
export function rowsIn({ body }: RawReply): number {
  return countOf(body, '"changesets_uri":') + countOf(body, '"count":')
}

/** A value other than the current one. */
function other<T>(choices: readonly T[], present: T, turn: number): T {
  const at = choices.indexOf(present)
  return choices[(at + 1 + (hash(turn, 7) % (choices.length - 1))) % choices.length] ?? present
}

export function newArtifact({ ids }: Pick<BenchTarget, 'ids'>, turn: number): string {
  const { fields, values, tracker } = ids
  const status = values['status']?.[turn % 6]
  return JSON.stringify({
    tracker: { id: tracker },
    values: [
      { field_id: fields['title'], value: `A new item, made by the measurement, number ${turn}` },
      { field_id: fields['status'], bind_value_ids: [status] },
      { field_id: fields['points'], value: POINTS[turn % POINTS.length] },
      { field_id: fields['details'], value: { format: 'commonmark', content: DETAILS } },
    ],
  })
}

const DETAILS = Array.from(
  { length: 10 },
  (_, at) => `Paragraph ${at} of a **new** item says \`little\`, but says it.`,
).join('\n\n')

function createCreator(target: BenchTarget, connection: HttpConnection): Caller {
  const headers = headersOf(target)
  let turn = 0
  return async () => {
    turn++
    const reply = await connection.send('POST', '/api/artifacts', headers, newArtifact(target, turn))
    if (reply.status !== 201) throw wrong(reply, 'status')
    // title, status, points, details, links, artifact_id, number
    if (countOf(reply.body, '"field_id":') !== 7) throw wrong(reply, 'values')
  }
}

/** Of artifacts, not of what is below them. */
const ARTIFACT_URIS = /"uri":"artifacts\/\d+"/g

function checkRead({ role, size }: BenchTarget, reply: RawReply, place: number): void {
  const { status, body } = reply
  if (status !== 200) throw wrong(reply, 'status')
  if (!body.startsWith(`{"id":${place + 1},`)) throw wrong(reply, 'id')
  const changing = (body.includes('"label":"Points"') ? 1 : 0) + (body.includes('"label":"Total"') ? 1 : 0)
  if (countOf(body, '"field_id":') - changing !== valuesShown(place, size, role)) throw wrong(reply, 'values')
  if ((body.match(ARTIFACT_URIS)?.length ?? 0) - 1 !== linksShown(place, role)) throw wrong(reply, 'links')
}

function checkXml(reply: RawReply, id: number): void {
  if (reply.status !== 200) throw wrong(reply, 'status')
  if (!reply.body.includes(`<id>${id}</id>`)) throw wrong(reply, 'id')
}

/** Compares with the generated data, except for fields that the measured writes change. */
function compare({ ids, size, role }: BenchTarget, reply: RawReply, place: number): void {
  const { values }: { values: Record<string, unknown>[] } = JSON.parse(Buffer.from(reply.body, 'latin1').toString())
  const shown = new Map(values.map((value) => [value['field_id'], value]))
  const made = generateArtifact(place, size, ids).values
  const same = (name: string, member: string, expected: unknown) => {
    const value = shown.get(ids.fields[name])
    if (JSON.stringify(value?.[member]) !== JSON.stringify(expected)) throw wrong(reply, name)
  }
  const stored = (name: string) => made[String(ids.fields[name])]
  same('title', 'value', stored('title'))
  const details = stored('details')
  same(
    'details',
    'commonmark',
    typeof details === 'object' && details && 'content' in details ? details.content : undefined,
  )
  for (const name of ['severity', 'component', 'kind', 'assigned_to', 'reviewer'])
    same(name, 'bind_value_ids', stored(name))
  same('hours', 'value', stored('hours'))
  if (role === 'member') same('serial', 'value', stored('serial'))
}

function countOf(text: string, part: string): number {
  let count = 0
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) count++
  return count
}

function wrong({ status, body }: RawReply, what: string): Error {
  return new Error(`A wrong answer (${what}): ${status} ${body.slice(0, 2000)}`)
}
