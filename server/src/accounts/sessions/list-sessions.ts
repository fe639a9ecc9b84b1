import { sql } from 'kysely'
import { Type } from 'typebox'
import { readRoute } from '../../platform/http/route.ts'
import { requireAccount } from '../auth-errors.ts'
import { isLiveSession, representSession, type SessionRow, SessionSchema, sessionColumns } from './session.ts'

export const listSessions = readRoute({
  method: 'GET',
  path: '/users/self/sessions',
  operationId: 'listSessions',
  summary: 'List your own live sessions, last used first.',
  description:
    'Shows address, browser and last use of each session. Every signed-in account, for itself. Sessions of other accounts cannot be listed.',
  access: 'signed_in',
  answer: Type.Array(SessionSchema),
  pages: 'whole',
  async handle({ context, viewer }) {
    const { rows } = await sql<SessionRow>`
      select ${sessionColumns} from session
      where session.account_id = ${requireAccount(viewer)} and ${isLiveSession(context)}
      order by session.last_used_on desc, session.created_on desc, session.id`.execute(context.db)
    return { body: rows.map((row) => representSession(context, viewer, row)), size: rows.length }
  },
})
