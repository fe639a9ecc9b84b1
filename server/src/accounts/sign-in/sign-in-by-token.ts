import { sql } from 'kysely'
import type { Context } from '../../platform/operation/context.ts'
import { ApiError } from '../../platform/words/errors.ts'
import { sha256 } from '../../platform/operation/secrets.ts'
import { settingsVersion } from '../../platform/operation/settings.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { refusalOf, type ViewerRow, viewerOf } from '../account.ts'
import { viewerColumns } from './viewer-columns.ts'

/** Since when access keys are the better way. Tokens are part of the contract, so they do not end. */
export const TOKENS_DISCOURAGED = new Date('2026-01-01T00:00:00Z')

export const LIFE = 86_400_000

interface TokenRow extends ViewerRow {
  created_on: Date
  is_over: boolean
  settings_version: number
}

/** A token and the id of its user belong together; one without the other is nobody. */
export async function signInByToken(
  context: Context,
  token: string | undefined,
  user: string | undefined,
): Promise<Viewer> {
  if (token === undefined || user === undefined) throw new ApiError('credentials_incomplete')
  if (!/^[0-9a-f]{32}$/i.test(token) || !/^\d{1,16}$/.test(user)) throw new ApiError('credentials_malformed')
  const digest = sha256(Buffer.from(token, 'hex'))
  const { rows } = await sql<TokenRow>`
    select ${viewerColumns}, token.created_on, token.is_over, ${settingsVersion} as settings_version
    from token join account on account.id = token.account_id
    where token.digest = ${digest} and token.account_id = ${Number(user)}`.execute(context.db)
  const [row] = rows
  if (!row) throw new ApiError('credentials_invalid')
  await context.settings.seen(row.settings_version)

  const now = context.clock.now()
  if (row.is_over || now.getTime() - row.created_on.getTime() > LIFE) {
    await context.db.updateTable('token').set({ is_over: true }).where('digest', '=', digest).execute()
    throw new ApiError('credentials_expired')
  }
  const refusal = refusalOf(row, now)
  if (refusal) throw refusal
  return viewerOf(row, { kind: 'token', id: null })
}
