import type { Id } from '../database/ids.ts'

export type AccountId = Id<'account'>

export interface Credential {
  readonly kind: 'session' | 'access_key' | 'token' | 'basic' | 'svn' | 'command_line' | 'job'
  readonly id: string | null
  /** Ids of the projects that it is limited to; absent: all projects of the account. */
  readonly projects?: readonly number[]
}

/** A sign-in from memory: until a statement has confirmed it, nothing may be sent to the caller. */
export interface RecalledSignIn {
  readonly viewer: Viewer
  readonly kind: 'access_key' | 'session'
  readonly id: string
  /** Of the rows that the sign-in has read. */
  readonly stamp: string
  /** When the request came. */
  readonly at: Date
  /** Of all requests with this credential: the last state of the database in which the stamp was compared, the last use. */
  readonly valid: { snapshot: string; usedOn: Date }
  isConfirmed: boolean
}

/** The caller of a request. The accounts room declares further members (`declare module`). */
export interface Viewer {
  /** Absent: anonymous. */
  readonly account_id?: AccountId
  readonly credential?: Credential
  /** The account's own choice; null: none. */
  readonly language: string | null
  readonly time_zone: string | null
}
