import { sql } from 'kysely'
import { Type } from 'typebox'
import { ApiError } from '../../platform/messages/errors.ts'
import { type Param, writeRoute } from '../../platform/http/route.ts'
import { requireAccount } from '../auth-errors.ts'
import { clearedCookie } from '../sign-in/sign-in-by-session.ts'
import { isLiveSession } from './session.ts'

const sessionParam: Param<string> = {
  schema: Type.String({ description: 'The session.' }),
  parse: (text) => (/^[0-9a-f]{16}$/.test(text) ? text : ''),
}

export const endSession = writeRoute({
  method: 'DELETE',
  path: '/users/self/sessions/:id',
  operationId: 'endSession',
  summary: 'End one of your own sessions.',
  description:
    'Signs one browser out. The account that owns the session. Unknown sessions and those of other accounts are 404.',
  access: 'signed_in',
  action: 'session.end',
  params: { id: sessionParam },
  async handle({ context, viewer, params: { id } }, work) {
    const { numAffectedRows } = await sql`
      delete from session where session.id = ${id} and session.account_id = ${requireAccount(viewer)}
        and ${isLiveSession(context)}`.execute(work.tx)
    if (numAffectedRows !== 1n) throw new ApiError('not_found')
    await work.change({ object: `users/self/sessions/${id}`, op: 'delete', before: { session: id } })
    return id === viewer.session_id ? { headers: { 'set-cookie': clearedCookie(context.config) } } : {}
  },
})
