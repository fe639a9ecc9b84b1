import type { Person } from './people.ts'
import type { Principal, State, Subject } from './subjects.ts'

export type Right = (principal: Principal, state: State) => boolean

export const EVERYONE: Right = () => true
export const SIGNED_IN: Right = (principal) => principal !== 'P1'
export const PROJECT_ADMIN: Right = (principal) => principal === 'P7' || principal === 'P8'
/** `leads` administer Bugs; Ledger is left to those who administer the project. */
export const TRACKER_ADMIN: Right = (principal, state) =>
  PROJECT_ADMIN(principal, state) || (state !== 'T3' && (principal === 'P4' || principal === 'P6'))
export const SITE_ADMIN: Right = (principal) => principal === 'P8'
export const SELF: Right = (principal) => principal === 'P5' // The user of the path is Tom.
export const SELF_OR_SITE_ADMIN: Right = (principal) => principal === 'P5' || principal === 'P8'
export const UNRESTRICTED: Right = (principal) => principal !== 'P1' && principal !== 'P2'

/** `stream`: what has no other form; only its beginning is asked for. */
export type Format = 'json' | 'xml' | 'stream'

export interface Row {
  subject: Subject & { unknown?: number }
  right: Right
  query?: string
  body?: unknown
  /** In which formats it can be asked; absent: in all. */
  formats?: readonly Format[]
  /** Where the answer is neither that of the route nor a refusal of rights: by design, whatever the caller may. */
  otherwise?: (principal: Principal, state: State) => number | undefined
  /** Who makes this write for real, where the test of the audit log does it; absent: Ada. */
  writer?: Person
  /** Gives a wrong password, which is counted: the matrix forgets the count. */
  counts?: true
  /** Why the test of the audit log cannot do it with this row alone; the route's own test does. */
  needsMore?: string
}

/** Writes below a suspended or deleted project are refused even to those who may see it. */
export const frozen: NonNullable<Row['otherwise']> = (principal, state) =>
  (state === 'T6' || state === 'T8') && principal === 'P8' ? 400 : undefined
