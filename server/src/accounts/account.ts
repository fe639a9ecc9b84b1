import type { TextFormat } from '../platform/texts/render-text.ts'
import { ApiError } from '../platform/words/errors.ts'
import type { AccountId, Viewer } from '../platform/http/viewer.ts'

/** A active, R restricted, S suspended, D deleted, P pending, V and W validated but not yet accounts. */
export type AccountStatus = 'A' | 'R' | 'S' | 'D' | 'P' | 'V' | 'W'

declare module '../platform/http/viewer.ts' {
  interface Viewer {
    readonly login?: string
    readonly is_site_admin?: boolean
    readonly is_restricted?: boolean
    readonly text_format?: TextFormat
    /** The session's public id, where a session is the credential. */
    readonly session_id?: string
  }
}

/** The columns of an account that make a viewer. */
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

export function viewerOf(row: ViewerRow, credential: NonNullable<Viewer['credential']>): Viewer {
  const { account_id, login, is_site_admin, time_zone, language, text_format } = row
  return {
    account_id,
    login,
    is_site_admin,
    is_restricted: row.status === 'R',
    time_zone,
    language,
    text_format,
    credential,
    ...(credential.kind === 'session' && credential.id !== null && { session_id: credential.id }),
  }
}

/** Why an account whose secret is right may not come in; undefined: it may. */
export function refusalOf({ status, password_expires_on }: ViewerRow, now: Date): ApiError | undefined {
  if (status === 'S') return new ApiError('account_suspended')
  if (status === 'D') return new ApiError('account_deleted')
  if (status !== 'A' && status !== 'R') return new ApiError('account_pending')
  return password_expires_on && password_expires_on <= now ? new ApiError('password_expired') : undefined
}
