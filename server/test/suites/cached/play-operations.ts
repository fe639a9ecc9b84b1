import type { Response, TestClient } from '../../harness/client.ts'
import type { TestPerson } from '../../fixtures/people.ts'
import { createRepeatableRandom, type RepeatableRandom } from '../fuzz/random.ts'
import { CACHED_OPERATIONS } from './operations.ts'
import { CACHED_VIEWERS, type CachedScene, makeCachedScene } from './scene.ts'

export interface CachedRun {
  /** Two servers with caches of their own, on one database. */
  readonly cached: readonly [TestClient, TestClient]
  /** A third one without a cache. */
  readonly fresh: TestClient
  readonly seed: string
  readonly operations: number
  readonly maxDifferences: number
  /** The kinds of operations; all by default. */
  readonly only?: readonly string[]
  tell(difference: string): void
}

export interface CachedResult {
  readonly differences: number
  readonly compared: number
  /** Of each kind of operation: how many were made, and how many of them were refused. */
  readonly kinds: ReadonlyMap<string, Kind>
}

interface Kind {
  made: number
  refused: number
  /** The last one. */
  refusal: string
}

interface Read {
  readonly path: string
  readonly as?: TestPerson
  readonly isConditional: boolean
  etag?: string
}

/** The same reads are repeated after several writes, so that most are answered from the cache. */
const READS_PER_OPERATION = 5
const NEW_READ_PROBABILITY = 0.25
/** A list by one value takes its entries from a cache of its own. */
const LIST_PROBABILITY = 0.3
const FORMS = ['', '', '', '?values_format=all', '?values_format=by_field&by_field_types=all', '.xml']

/**
 * Plays random writes through two servers, and compares responses from their caches with those of a server without one.
 * Some reads run beside a write, so that caches are filled while rows change.
 */
export async function playOperations(run: CachedRun): Promise<CachedResult> {
  const { cached, fresh, operations, maxDifferences, only } = run
  const played = Object.entries(CACHED_OPERATIONS).filter(([kind]) => only?.includes(kind) ?? true)
  const scene = await makeCachedScene(fresh)
  const kinds = new Map(played.map(([kind]) => [kind, { made: 0, refused: 0, refusal: '' }]))
  const reads: Read[] = []
  let differences = 0
  let compared = 0
  for (let number = 0; number < operations && differences < maxDifferences; number++) {
    const random = createRepeatableRandom(`${run.seed} ${number}`)
    const [kind, operation] = random.pickAny(played) ?? []
    if (kind === undefined || !operation) throw new Error('There is no operation.')
    if (reads.length < READS_PER_OPERATION || random.chance(NEW_READ_PROBABILITY))
      reads.unshift(drawRead(random, scene))
    reads.splice(READS_PER_OPERATION)
    const api = random.pick([cached[0], cached[1]])
    const beside = random.chance(0.3) ? reads.map((read) => get(random.pick([cached[0], cached[1]]), read)) : []
    const [{ status, text }] = await Promise.all([operation({ api, scene, random }), ...beside])
    const counted = kinds.get(kind)
    if (status >= 500) throw new Error(`Operation ${number}, ${kind}: ${status}`)
    if (counted) {
      counted.made++
      if (status >= 400) {
        counted.refused++
        counted.refusal = text
      }
    }
    for (const read of reads) {
      const answer = await get(fresh, read)
      const expected = facts(answer)
      for (const [place, client] of cached.entries()) {
        const got = facts(await get(client, read))
        compared++
        if (got === expected) continue
        differences++
        const who = `${read.as?.login ?? 'anonymous'} ${read.path}`
        run.tell(`operation ${number} (${kind}), server ${place}, ${who}:\n  ${got}\n  instead of ${expected}`)
      }
      if (answer.headers.etag !== undefined) read.etag = answer.headers.etag
    }
  }
  return { differences, compared, kinds }
}

function drawRead(random: RepeatableRandom, { artifacts, trackers }: CachedScene): Read {
  const as = random.pickAny(CACHED_VIEWERS)
  const path = random.chance(LIST_PROBABILITY)
    ? `/trackers/${random.pickAny(trackers)}/artifacts?query=${encodeURIComponent('{"status":"Open"}')}`
    : `/artifacts/${random.pickAny(artifacts)}${random.pickAny(FORMS)}`
  return { path, ...(as && { as }), isConditional: random.chance(0.3) }
}

/** A conditional read sends the last Etag that its viewer got. */
function get(client: TestClient, { path, as, isConditional, etag }: Read): Promise<Response> {
  const headers = isConditional && etag !== undefined ? { 'if-none-match': etag } : {}
  return client.get(path, { ...(as && { as }), headers })
}

/** Everything of a response that a cache must repeat; the id of a request is its own. */
function facts({ status, headers, text }: Response): string {
  const { etag, 'last-modified': modified, 'content-type': type, 'content-length': length } = headers
  const size = headers['x-pagination-size']
  const body = status < 400 ? text : ''
  return JSON.stringify({ status, etag, modified, size, type, ...(status < 400 && { length }), body })
}
