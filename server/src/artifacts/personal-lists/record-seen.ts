import { sql } from 'kysely'
import { requireAccount } from '../../accounts/auth-errors.ts'
import { type Route, writeRoute } from '../../platform/http/route.ts'
import { artifactKind, type ObjectKind, projectKind, trackerKind } from '../object-kinds.ts'

/** More than the list shows, so that it stays long if some of them become invisible. */
const MAX_STORED = 40

export const recordArtifactSeen = defineRecordSeen(artifactKind)
export const recordTrackerSeen = defineRecordSeen(trackerKind)
export const recordProjectSeen = defineRecordSeen(projectKind)

function defineRecordSeen<T extends number>({ kind, name, param, find }: ObjectKind<T>): Route {
  const column = sql.ref(`${kind}_id`)
  return writeRoute({
    method: 'PUT',
    path: `/${kind}s/:id/seen`,
    operationId: `record${name}Seen`,
    summary: `Put this ${kind} first in the list of what you have seen recently.`,
    description: `Pages call it when a person opens the ${kind}; reading the ${kind} by the API records nothing. Signed-in people who may see it, for themselves; only the newest entries are kept. Hidden and absent objects are 404.`,
    access: 'signed_in',
    action: null,
    params: { id: param },
    async handle({ context, viewer, params: { id } }, work) {
      const account = requireAccount(viewer)
      await find(context, work.tx, viewer, id)
      const seen_on = context.clock.now()
      await sql`
        insert into recently_seen (account_id, ${column}, seen_on) 
        select ${account}, object.id, ${seen_on} from ${sql.table(kind)} object where object.id = ${id} for key share
        on conflict (account_id, project_id, tracker_id, artifact_id) do update set seen_on = excluded.seen_on`.execute(
        work.tx,
      )
      await sql`
        delete from recently_seen where ctid in (select older.ctid from recently_seen older
          where older.account_id = ${account} order by older.seen_on desc offset ${MAX_STORED})`.execute(work.tx)
      await work.change({ object: `${kind}s/${id}/seen`, op: 'update', after: { is_seen: true } })
      return {}
    },
  })
}
