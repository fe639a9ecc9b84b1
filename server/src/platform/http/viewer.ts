import type { Id } from '../database/ids.ts'

export type AccountId = Id<'account'>

export interface Credential {
  readonly kind: 'session' | 'access_key' | 'token' | 'basic' | 'svn' | 'command_line' | 'job'
  readonly id: string | null
}

/** Who asks. What an account is beyond this, the accounts room says (`declare module`). */
export interface Viewer {
  /** Absent: anonymous. */
  readonly account_id?: AccountId
  readonly credential?: Credential
  /** The account's own choice; null: none. */
  readonly language: string | null
  readonly time_zone: string | null
}
