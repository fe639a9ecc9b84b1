import { sql } from 'kysely'
import { writeRoute } from '../../platform/http/route.ts'
import { requireAccount } from '../auth-errors.ts'

export const endOtherSessions = writeRoute({
  method: 'DELETE',
  path: '/users/self/sessions',
  operationId: 'endOtherSessions',
  summary: 'End all your sessions but the one that asks.',
  description:
    'Signs the account out everywhere else, for example after a loss of a device. Every signed-in account, for itself. The session that makes the request stays.',
  access: 'signed_in',
  action: 'session.end',
  async handle({ viewer }, work) {
    const { rows } = await sql<{ id: string }>`
      delete from session where session.account_id = ${requireAccount(viewer)}
        and session.id is distinct from ${viewer.session_id ?? null}
      returning session.id`.execute(work.tx)
    await work.change({ object: 'users/self/sessions', op: 'delete', before: { sessions: rows.map(({ id }) => id) } })
    return {}
  },
})
