import { hash } from '../../server/src/commands/bench-data/chance.ts'
import { readableBy } from '../../server/src/commands/bench-data/layout.ts'
import type { Ids } from '../../server/src/commands/bench-data/generate-artifact.ts'
import { benchAccessKey, viewerAccessKey } from '../artifacts/keys.ts'
import { newArtifact } from '../artifacts/operations.ts'
import { listPath } from '../queries/questions.ts'
import { drawSkewed, drawUniformly, type DrawRank } from '../skew.ts'

export const PEER_OPERATIONS = ['get', 'get-skewed', 'list', 'text', 'create', 'update', 'key'] as const
/** The same load on another version of Waypost; Redmine has no equivalent. */
export const VERSION_OPERATIONS = ['mixed-skewed', 'not-modified-skewed'] as const
export type PeerOperation = (typeof PEER_OPERATIONS)[number] | (typeof VERSION_OPERATIONS)[number]

export interface Waypost {
  readonly name: 'waypost'
  readonly ids: Ids
  readonly size: number
  /** The number of callers of a skewed load. */
  readonly viewers: number
  /** By path, for `not-modified-skewed`; see `skewedReads`. */
  readonly etags?: Readonly<Record<string, string>>
}

export interface Redmine {
  readonly name: 'redmine'
  readonly key: string
  readonly size: number
  /** The ids of its custom fields. */
  readonly fields: Readonly<Record<string, number>>
}

/** A server and the ids of its data. */
export type Peer = Waypost | Redmine

export interface PeerRequest {
  readonly method: string
  readonly path: string
  readonly headers: string
  readonly body?: string
  readonly status: number
  /** A text that every correct response contains. */
  readonly holds: string
}

/** The n-th request; each is about another object. */
export type CreateRequest = (turn: number) => PeerRequest

/** The equivalent requests to either server. */
export function createRequests(peer: Peer, operation: PeerOperation): CreateRequest {
  return peer.name === 'waypost' ? createWaypostRequests(peer, operation) : createRedmineRequests(peer, operation)
}

type Draws = Readonly<Record<PeerOperation, (turn: number) => Omit<PeerRequest, 'headers'>>>

const STREAM = 11
const VIEWER_STREAM = 12
/** One in ten requests of a mixed load is a write. */
const WRITE_EVERY = 10
/** A sample of the skewed load whose Etags the client knows. */
const KNOWN_READS = 10_000

function createWaypostRequests(peer: Waypost, operation: PeerOperation): CreateRequest {
  const { ids, etags = {} } = peer
  const artifact = (rank: DrawRank, turn: number) => readableBy('member', peer.size).place(rank(turn, STREAM)) + 1
  const { count } = readableBy('member', peer.size)
  const uniform = drawUniformly(count)
  const skewed = isSkewed(operation) ? drawSkewed(count) : uniform
  const read = (id: number) => get(`/api/artifacts/${id}`, `{"id":${id},`)
  const update = (id: number, turn: number) => ({
    method: 'PUT',
    path: `/api/artifacts/${id}`,
    body: JSON.stringify({ values: [{ field_id: ids.fields['points'], value: turn % 20 }] }),
    status: 200,
    holds: '"xref"',
  })
  const draws: Draws = {
    get: (turn) => read(artifact(uniform, turn)),
    'get-skewed': (turn) => read(artifact(skewed, turn)),
    'mixed-skewed': (turn) =>
      turn % WRITE_EVERY === 0 ? update(artifact(skewed, turn), turn) : read(artifact(skewed, turn)),
    'not-modified-skewed': (turn) => ({
      ...get(`/api/artifacts/${artifact(skewed, knownTurn(turn))}`, ''),
      status: 304,
    }),
    list: () => get(listPath(ids, { component: [ids.values['component']?.at(-1) ?? 0] }), '"changesets_uri"'),
    text: (turn) => get(listPath(ids, `title = "item ${numberOf(turn)}"`), '['),
    create: (turn) => ({
      method: 'POST',
      path: '/api/artifacts',
      body: newArtifact({ ids }, turn),
      status: 201,
      holds: '"xref"',
    }),
    update: (turn) => update(artifact(uniform, turn), turn),
    key: () => get('/api/users/self', '"username"'),
  }
  const keys = isSkewed(operation)
    ? Array.from({ length: peer.viewers }, (_, viewer) => viewerAccessKey(viewer))
    : [benchAccessKey('member')]
  return (turn) => {
    const request = draws[operation](turn)
    const key = `X-Auth-AccessKey: ${keys[hash(turn, VIEWER_STREAM) % keys.length]}\r\n`
    const etag = operation === 'not-modified-skewed' ? etags[request.path] : undefined
    return { ...request, headers: etag === undefined ? key : `${key}If-None-Match: ${etag}\r\n` }
  }
}

/** All different reads of `not-modified-skewed`: the client has to know their Etags. */
export function skewedReads(peer: Waypost): PeerRequest[] {
  const create = createWaypostRequests(peer, 'not-modified-skewed')
  const reads = Array.from({ length: KNOWN_READS }, (_, turn) => ({ ...create(turn), status: 200 }))
  return [...new Map(reads.map((read) => [read.path, read])).values()]
}

export function isSkewed(operation: PeerOperation): boolean {
  return operation.endsWith('-skewed')
}

/** A draw of the sample, in another order each round. */
function knownTurn(turn: number): number {
  return turn < KNOWN_READS ? turn : hash(turn, 13) % KNOWN_READS
}

const LIST = '/issues.json?project_id=bench&status_id=*&limit=50'
const DESCRIPTION = 'Paragraph of a **new** item says `little`, but says it.\n\n'.repeat(10)

function createRedmineRequests({ size, key, fields }: Redmine, operation: PeerOperation): CreateRequest {
  const uniform = drawUniformly(size)
  const skewed = isSkewed(operation) ? drawSkewed(size) : uniform
  const read = (id: number) => get(`/issues/${id}.json?include=relations`, `{"issue":{"id":${id},`)
  const points = (turn: number) => [{ id: fields['Points'], value: String(turn % 20) }]
  const draws: Partial<Draws> = {
    get: (turn) => read(uniform(turn, STREAM) + 1),
    'get-skewed': (turn) => read(skewed(turn, STREAM) + 1),
    list: () => get(`${LIST}&cf_${fields['Component']}=needle`, '"total_count":1000'),
    text: (turn) => get(`${LIST}&subject=${encodeURIComponent(`~item ${numberOf(turn)}`)}`, '"total_count"'),
    create: (turn) => ({
      method: 'POST',
      path: '/issues.json',
      body: JSON.stringify({
        issue: {
          project_id: 'bench',
          subject: `A new item, made by the measurement, number ${turn}`,
          description: DESCRIPTION,
          custom_fields: points(turn),
        },
      }),
      status: 201,
      holds: '{"issue":{"id":',
    }),
    update: (turn) => ({
      method: 'PUT',
      path: `/issues/${uniform(turn, STREAM) + 1}.json`,
      body: JSON.stringify({ issue: { custom_fields: points(turn) } }),
      status: 204,
      holds: '',
    }),
    key: () => get('/users/current.json', '"login":"person1"'),
  }
  const draw = draws[operation]
  if (!draw) throw new Error(`Redmine has no ${operation}.`)
  const headers = `X-Redmine-API-Key: ${key}\r\nAccept: application/json\r\n`
  return (turn) => ({ ...draw(turn), headers })
}

function get(path: string, holds: string): Omit<PeerRequest, 'headers'> {
  return { method: 'GET', path, status: 200, holds }
}

/** The number in the titles of both. */
function numberOf(turn: number): number {
  return 1000 + (hash(turn, 501) % 9000)
}
