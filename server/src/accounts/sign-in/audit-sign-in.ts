import { recordAudit } from '../../platform/database/audit.ts'
import { ANONYMOUS_VIEWER } from '../../platform/http/request-state.ts'
import type { Context } from '../../platform/operation/context.ts'

export interface SignInAttempt {
  login: string
  address: string
  request_id: string | null
  /** The device cookie, if the request has one. */
  device?: string | undefined
}

export async function auditSignIn(context: Context, attempt: SignInAttempt, reason: string): Promise<void> {
  const origin = { viewer: ANONYMOUS_VIEWER, request_id: attempt.request_id, address: attempt.address }
  await recordAudit(context.db, origin, { action: 'sign_in', outcome: 'refused', reason })
}
