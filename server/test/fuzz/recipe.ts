import type { OutgoingHttpHeaders } from 'node:http'
import { ADA, MARA, OLGA, type Person, TOM, UMA } from '../people.ts'
import type { Knowledge, KnownSession } from './knowledge.ts'
import type { Random } from './random.ts'

/** A request that ought to succeed. What it leaves out is up to chance: format, prefix, credential, dry run. */
export interface Wish {
  /** Who asks; absent: nobody in particular. */
  readonly as?: Person | undefined
  /** With this session, and no other credential. */
  readonly session?: KnownSession | undefined
  /** With the access key only: other credentials would not do. */
  readonly byKey?: true
  /** Who reads the answer, where the request does not say it by its credential. */
  readonly reader?: Person
  readonly params?: Readonly<Record<string, string | number>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly headers?: OutgoingHttpHeaders
  /** Only the rehearsal will succeed. */
  readonly dryRun?: boolean
}

/** How to make a request for one operation that succeeds. */
export type Recipe = (known: Knowledge, random: Random) => Wish

export const ACTIVE: readonly [Person, ...Person[]] = [TOM, MARA, UMA, OLGA, ADA]

/** Somebody, or nobody. */
export function anyone(random: Random): Person | undefined {
  return random.chance(0.15) ? undefined : random.pick(ACTIVE)
}

/** Some of the members: each by its own chance. */
export function some(
  random: Random,
  members: Readonly<Record<string, unknown>>,
  probability = 0.3,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(() => random.chance(probability)))
}

export function emailOf(name: string): string {
  return `${name}@fuzz.example`
}
