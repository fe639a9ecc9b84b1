import { sql } from 'kysely'
import { ApiError } from '../../platform/messages/errors.ts'
import { readRoute } from '../../platform/http/route.ts'
import { representOwnSession, type SessionRow, sessionColumns, SessionWithUser } from './session.ts'

export const getSession = readRoute({
  method: 'GET',
  path: '/session',
  operationId: 'getSession',
  summary: 'Show the session of the cookie, and who it is.',
  description:
    'Shows the account and the end of the session of the cookie. The browser with the cookie. 404 if the caller is signed in without a session, 401 without credentials.',
  access: 'signed_in',
  answer: SessionWithUser,
  async handle({ context, viewer }) {
    const { rows } = await sql<SessionRow>`
      select ${sessionColumns} from session where session.id = ${viewer.session_id ?? null}`.execute(context.db)
    const [session] = rows
    if (!session) throw new ApiError('not_found')
    return { body: await representOwnSession(context, context.db, viewer, session) }
  },
})
