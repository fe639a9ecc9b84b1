import { createHash } from 'node:crypto'
import type { MadeTracker } from '../server/test/fixtures/every-field.ts'
import type { RepeatableRandom } from '../server/test/suites/fuzz/random.ts'
import type { TestPerson } from '../server/test/fixtures/people.ts'
import { type WriteContent, writeContentDigest, combineDigests } from './content.ts'
import type { Message } from './http.ts'
import type { KnownArtifact, ArtifactPool } from './artifact-pool.ts'

export type WriteKind = 'create' | 'change' | 'merge' | 'comment' | 'label' | 'attach' | 'remove' | 'bulk'

/** A planned write of a client. */
export interface PlannedWrite {
  readonly id: string
  readonly kind: WriteKind
  readonly person: TestPerson
  readonly known: KnownArtifact | undefined
  readonly message: Message
  readonly isKeyed: boolean
  readonly basedOn: string | null
  readonly versions: number
  readonly digest: string
  /** Uploaded first; the message needs its id. */
  readonly file?: { readonly bytes: Buffer; readonly sha256: string; readonly message: (id: number) => Message }
}

interface Making {
  readonly id: string
  /** A unique number. */
  readonly number: number
  readonly person: TestPerson
  readonly random: RepeatableRandom
  readonly pool: ArtifactPool
  readonly tracker: MadeTracker
}

const SHARES: readonly (readonly [WriteKind, number])[] = [
  ['create', 20],
  ['change', 35],
  ['merge', 15],
  ['comment', 10],
  ['label', 6],
  ['attach', 6],
  ['bulk', 4],
  ['remove', 4],
]

/** Chooses the next write of a client. Every value is unique, so that stored data identify their writer. */
export function planWrite(making: Making): PlannedWrite {
  const { random, pool } = making
  const known = pool.size < 20 ? undefined : pool.pick(random)
  const kind = known ? chooseKind(random) : 'create'
  switch (kind) {
    case 'create':
      return create(making)
    case 'bulk':
      return createSeveral(making)
    case 'remove':
      return remove(making, known)
    case 'attach':
      return attach(making, known)
    case 'change':
    case 'merge':
    case 'comment':
    case 'label':
      return change(making, kind, known)
    default:
      throw new Error(`There is no operation ${String(kind)}.`)
  }
}

/** The smallest write, without retries: shows whether writes are acknowledged at this moment. */
export function makeProbe(id: string, person: TestPerson, known: KnownArtifact): PlannedWrite {
  const content = { comment: `Probed ${id}` }
  return { ...base({ id, person }, 'comment', known, content), message: put(person, id, known, {}, content.comment) }
}

function chooseKind(random: RepeatableRandom): WriteKind {
  let left = random.integer(
    1,
    SHARES.reduce((sum, [, share]) => sum + share, 0),
  )
  for (const [kind, share] of SHARES) {
    left -= share
    if (left <= 0) return kind
  }
  return 'create'
}

function create({ id, number, person, tracker }: Making): PlannedWrite {
  const content = { summary: `Crate ${id}`, details: `Made ${id}`, points: number }
  const body = { tracker: { id: tracker.id }, values_by_field: values(content) }
  const message = keyed(id, {
    method: 'POST',
    path: '/artifacts',
    headers: requestHeaders(person, id),
    body: JSON.stringify(body),
  })
  return { ...base({ id, person }, 'create', undefined, content), message, isKeyed: true }
}

function createSeveral({ id, person, random, tracker }: Making): PlannedWrite {
  const contents = Array.from({ length: random.integer(2, 6) }, (_, at) => ({ summary: `Box ${at} ${id}`, points: at }))
  const lines = contents.map((content) => JSON.stringify({ op: 'create', values_by_field: values(content) }))
  const headers = { ...requestHeaders(person, id), 'content-type': 'application/x-ndjson' }
  const path = `/trackers/${tracker.id}/artifacts/bulk`
  return {
    ...base({ id, person }, 'bulk', undefined, {}),
    versions: contents.length,
    digest: combineDigests(contents.map(writeContentDigest)),
    message: keyed(id, { method: 'POST', path, headers, body: `${lines.join('\n')}\n` }),
    isKeyed: true,
  }
}

function change(
  { id, number, person, random }: Making,
  kind: WriteKind,
  known: KnownArtifact | undefined,
): PlannedWrite {
  if (!known) throw new Error('There is nothing to change.')
  const content: WriteContent =
    kind === 'comment' ? { comment: `Said ${id}` } : { details: `Changed ${id}`, points: number }
  // Most clients know the newest version; some have a stale one.
  const seen = random.chance(0.25) ? (known.formerTag ?? known.tag) : known.tag
  const basedOn = kind === 'change' ? seen : null
  const labels = kind === 'label' ? { tags: [`label ${id}`] } : {}
  const message = put(person, id, known, { ...values(content), ...labels }, content.comment, basedOn)
  const isKeyed = random.chance(0.6) || basedOn === null
  return {
    ...base({ id, person }, kind, known, content),
    message: isKeyed ? keyed(id, message) : message,
    isKeyed,
    basedOn,
  }
}

function attach({ id, person, random, tracker }: Making, known: KnownArtifact | undefined): PlannedWrite {
  if (!known) throw new Error('There is nothing to attach to.')
  const bytes = Buffer.from(`${id} ${random.letters(random.integer(1, 3000))}`)
  const message = (file: number): Message =>
    keyed(id, {
      method: 'PUT',
      path: `/artifacts/${known.id}`,
      headers: requestHeaders(person, id),
      body: JSON.stringify({ values: [{ field_id: tracker.field('attachment'), value: [file] }] }),
    })
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return {
    ...base({ id, person }, 'attach', known, {}),
    message: message(0),
    isKeyed: true,
    file: { bytes, sha256, message },
  }
}

function remove({ id, person }: Making, known: KnownArtifact | undefined): PlannedWrite {
  if (!known) throw new Error('There is nothing to remove.')
  known.isLeaving = true
  const message = keyed(id, { method: 'DELETE', path: `/artifacts/${known.id}`, headers: requestHeaders(person, id) })
  return { ...base({ id, person }, 'remove', known, {}), message, isKeyed: true, versions: 0 }
}

function base(
  { id, person }: Pick<Making, 'id' | 'person'>,
  kind: WriteKind,
  known: KnownArtifact | undefined,
  content: WriteContent,
) {
  return { id, person, kind, known, isKeyed: false, basedOn: null, versions: 1, digest: writeContentDigest(content) }
}

function values({ summary, details, points }: WriteContent): object {
  const given = Object.entries({ summary, details, points }).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given)
}

function put(
  person: TestPerson,
  id: string,
  known: KnownArtifact,
  values_by_field: object,
  comment: string | undefined,
  basedOn: string | null = null,
): Message {
  const body = {
    ...(Object.keys(values_by_field).length > 0 && { values_by_field }),
    ...(comment !== undefined && { comment: { body: comment, format: 'text' } }),
  }
  const headers = { ...requestHeaders(person, id), ...(basedOn !== null && { 'if-match': `"${basedOn}"` }) }
  return { method: 'PUT', path: `/artifacts/${known.id}`, headers, body: JSON.stringify(body) }
}

export function requestHeaders({ key }: TestPerson, id: string): Message['headers'] {
  return { 'x-auth-accesskey': key, 'x-request-id': id, 'content-type': 'application/json' }
}

function keyed(id: string, message: Message): Message {
  return { ...message, headers: { ...message.headers, 'idempotency-key': id } }
}
