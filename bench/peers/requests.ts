import { hash } from '../../server/src/commands/bench-data/chance.ts'
import { readableBy } from '../../server/src/commands/bench-data/layout.ts'
import type { Ids } from '../../server/src/commands/bench-data/generate-artifact.ts'
import { benchAccessKey } from '../artifacts/keys.ts'
import { newArtifact } from '../artifacts/operations.ts'
import { listPath } from '../queries/questions.ts'

export const PEER_OPERATIONS = ['get', 'list', 'text', 'create', 'update', 'key'] as const
export type PeerOperation = (typeof PEER_OPERATIONS)[number]

interface Waypost {
  readonly name: 'waypost'
  readonly ids: Ids
  readonly size: number
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
  readonly body?: string
  readonly status: number
  /** A text that every correct response contains. */
  readonly holds: string
}

export function headersOf(peer: Peer): string {
  return peer.name === 'waypost'
    ? `X-Auth-AccessKey: ${benchAccessKey('member')}\r\n`
    : `X-Redmine-API-Key: ${peer.key}\r\nAccept: application/json\r\n`
}

/** The equivalent request to either server, about another object each turn. */
export function requestOf(peer: Peer, operation: PeerOperation, turn: number): PeerRequest {
  return peer.name === 'waypost' ? WAYPOST[operation](peer, turn) : REDMINE[operation](peer, turn)
}

type PeerRequests<Of> = Record<PeerOperation, (peer: Of, turn: number) => PeerRequest>

const WAYPOST: PeerRequests<Waypost> = {
  get: (peer, turn) => get(`/api/artifacts/${artifactOf(peer, turn)}`, `{"id":${artifactOf(peer, turn)},`),
  list: ({ ids }) => get(listPath(ids, { component: [ids.values['component']?.at(-1) ?? 0] }), '"changesets_uri"'),
  text: ({ ids }, turn) => get(listPath(ids, `title = "item ${numberOf(turn)}"`), '['),
  create: ({ ids }, turn) => ({
    method: 'POST',
    path: '/api/artifacts',
    body: newArtifact({ ids }, turn),
    status: 201,
    holds: '"xref"',
  }),
  update: (peer, turn) => ({
    method: 'PUT',
    path: `/api/artifacts/${artifactOf(peer, turn)}`,
    body: JSON.stringify({ values: [{ field_id: peer.ids.fields['points'], value: turn % 20 }] }),
    status: 200,
    holds: '"xref"',
  }),
  key: () => get('/api/users/self', '"username"'),
}

const LIST = '/issues.json?project_id=bench&status_id=*&limit=50'
const DESCRIPTION = 'Paragraph of a **new** item says `little`, but says it.\n\n'.repeat(10)

const REDMINE: PeerRequests<Redmine> = {
  get: ({ size }, turn) =>
    get(`/issues/${issueOf(size, turn)}.json?include=relations`, `{"issue":{"id":${issueOf(size, turn)},`),
  list: ({ fields }) => get(`${LIST}&cf_${fields['Component']}=needle`, '"total_count":1000'),
  text: (_, turn) => get(`${LIST}&subject=${encodeURIComponent(`~item ${numberOf(turn)}`)}`, '"total_count"'),
  create: ({ fields }, turn) => ({
    method: 'POST',
    path: '/issues.json',
    body: JSON.stringify({
      issue: {
        project_id: 'bench',
        subject: `A new item, made by the measurement, number ${turn}`,
        description: DESCRIPTION,
        custom_fields: pointsOf(fields, turn),
      },
    }),
    status: 201,
    holds: '{"issue":{"id":',
  }),
  update: ({ size, fields }, turn) => ({
    method: 'PUT',
    path: `/issues/${issueOf(size, turn)}.json`,
    body: JSON.stringify({ issue: { custom_fields: pointsOf(fields, turn) } }),
    status: 204,
    holds: '',
  }),
  key: () => get('/users/current.json', '"login":"person1"'),
}

function artifactOf({ size }: Waypost, turn: number): number {
  const { count, place } = readableBy('member', size)
  return place(hash(turn, 11) % count) + 1
}

function issueOf(size: number, turn: number): number {
  return (hash(turn, 11) % size) + 1
}

function pointsOf(fields: Redmine['fields'], turn: number) {
  return [{ id: fields['Points'], value: String(turn % 20) }]
}

function get(path: string, holds: string): PeerRequest {
  return { method: 'GET', path, status: 200, holds }
}

/** The number in the titles of both. */
function numberOf(turn: number): number {
  return 1000 + (hash(turn, 501) % 9000)
}
