import type { OutgoingHttpHeaders } from 'node:http'
import { ADA, MARA, OLGA, type TestPerson, TOM, UMA } from '../../fixtures/people.ts'
import type { Knowledge, KnownSession } from './knowledge.ts'
import type { RepeatableRandom } from './random.ts'

/** A request that should succeed. Omitted parts are random: format, prefix, credential, dry run. */
export interface Wish {
  /** The caller; absent: anonymous or random. */
  readonly as?: TestPerson | undefined
  /** With this session, and no other credential. */
  readonly session?: KnownSession | undefined
  /** Requires the access key as credential. */
  readonly byKey?: true
  /** The reader of the response, if the credential does not determine it. */
  readonly reader?: TestPerson
  readonly params?: Readonly<Record<string, string | number>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly headers?: OutgoingHttpHeaders
  /** Succeeds only as a dry run. */
  readonly dryRun?: boolean
}

/** Builds a request that succeeds for one operation. */
export type Recipe = (known: Knowledge, random: RepeatableRandom) => Wish

export const ACTIVE: readonly [TestPerson, ...TestPerson[]] = [TOM, MARA, UMA, OLGA, ADA]

/** A random person, or anonymous. */
export function anyone(random: RepeatableRandom): TestPerson | undefined {
  return random.chance(0.15) ? undefined : random.pick(ACTIVE)
}

/** A random subset of the members. */
export function some(
  random: RepeatableRandom,
  members: Readonly<Record<string, unknown>>,
  probability = 0.3,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(() => random.chance(probability)))
}

export function emailOf(name: string): string {
  return `${name}@fuzz.example`
}
