import type { TextFormat } from '../platform/rich-text/render-text.ts'
import { ApiError } from '../platform/messages/errors.ts'
import type { AccountId, Viewer } from '../platform/http/viewer.ts'

/** A active, R restricted, S suspended, D deleted, P pending, V and W validated but not yet accounts. */
export type AccountStatus = 'A' | 'R' | 'S' | 'D' | 'P' | 'V' | 'W'

declare module '../platform/http/viewer.ts' {
  interface Viewer {
    readonly login?: string
    readonly is_site_admin?: boolean
    readonly is_restricted?: boolean
    readonly text_format?: TextFormat
    /** The public id of the session, if the credential is a session. */
    readonly session_id?: string
    /** When the password was last confirmed in the session; null: not recently. */
    readonly confirmed_on?: Date | null
    /** The limits of the access key, if the credential is a key. */
    readonly key?: KeyLimits
  }
}

/** Limits of an access key; keys created with it cannot exceed them. */
export interface KeyLimits {
  readonly scopes: readonly string[]
  /** Null: never expires. */
  readonly expires_on: Date | null
}

/** The account columns that make up a viewer. */
export interface ViewerRow {
  account_id: AccountId
  login: string
  status: AccountStatus
  is_site_admin: boolean
  time_zone: string | null
  language: string | null
  text_format: TextFormat
  password_expires_on: Date | null
}

/** A key that is limited to projects has no site administrator rights. */
export function toViewer(row: ViewerRow, credential: NonNullable<Viewer['credential']>): Viewer {
  const { account_id, login, time_zone, language, text_format } = row
  return {
    account_id,
    login,
    is_site_admin: row.is_site_admin && credential.projects === undefined,
    is_restricted: row.status === 'R',
    time_zone,
    language,
    text_format,
    credential,
    ...(credential.kind === 'session' && credential.id !== null && { session_id: credential.id }),
  }
}

/** Why an account with correct credentials may not sign in; undefined if it may. */
export function accountError({ status, password_expires_on }: ViewerRow, now: Date): ApiError | undefined {
  if (status === 'S') return new ApiError('account_suspended')
  if (status === 'D') return new ApiError('account_deleted')
  if (status !== 'A' && status !== 'R') return new ApiError('account_pending')
  return password_expires_on && password_expires_on <= now ? new ApiError('password_expired') : undefined
}
