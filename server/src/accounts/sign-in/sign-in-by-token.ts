import { sql } from 'kysely'
import type { Context } from '../../platform/operation/context.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { sha256 } from '../../platform/operation/secrets.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { accountError, type ViewerRow, toViewer } from '../account.ts'
import { requirePasswordsAllowed } from './passwords-allowed.ts'
import { viewerColumns } from './viewer-columns.ts'

/** Tokens are deprecated in favor of access keys since then, but remain part of the contract. */
export const TOKENS_DISCOURAGED = new Date('2026-01-01T00:00:00Z')

export const TOKEN_TTL_MS = 86_400_000

interface TokenRow extends ViewerRow {
  created_on: Date
  is_over: boolean
}

/** Token and user id must match; one without the other is refused. */
export async function signInByToken(
  context: Context,
  token: string | undefined,
  user: string | undefined,
): Promise<Viewer> {
  if (token === undefined || user === undefined) throw new ApiError('credentials_incomplete')
  if (!/^[0-9a-f]{32}$/i.test(token) || !/^\d{1,16}$/.test(user)) throw new ApiError('credentials_malformed')
  await requirePasswordsAllowed(context, 'elsewhere')
  const digest = sha256(Buffer.from(token, 'hex'))
  const { rows } = await sql<TokenRow>`
    select ${viewerColumns}, token.created_on, token.is_over
    from token join account on account.id = token.account_id
    where token.digest = ${digest} and token.account_id = ${Number(user)}`.execute(context.db)
  const [row] = rows
  if (!row) throw new ApiError('credentials_invalid')

  const now = context.clock.now()
  if (row.is_over || now.getTime() - row.created_on.getTime() > TOKEN_TTL_MS) {
    await context.db.updateTable('token').set({ is_over: true }).where('digest', '=', digest).execute()
    throw new ApiError('credentials_expired')
  }
  const refusal = accountError(row, now)
  if (refusal) throw refusal
  return toViewer(row, { kind: 'token', id: null })
}
