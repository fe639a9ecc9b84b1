import { sql } from 'kysely'
import { requireSiteAdmin } from '../../accounts/auth-errors.ts'
import type { Tx } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { writeRoute } from '../../platform/http/route.ts'
import { lockLinkType, requireOwnLinkType } from '../../trackers/link-types/find-link-type.ts'
import { findTrackersByProgress, type LinkTypeUse, removeLinkType } from '../../trackers/link-types/remove-link-type.ts'
import { linkTypeParam } from '../../trackers/link-types/represent-link-type.ts'
import { joinTracker } from '../../trackers/visibility.ts'
import { joinArtifact } from '../visibility.ts'

const MAX_NAMED_TRACKERS = 10
/** Links that are read to name the trackers. */
const MAX_READ_LINKS = 1000

export const deleteLinkType = writeRoute({
  method: 'DELETE',
  path: '/link_types/:name',
  operationId: 'deleteLinkType',
  summary: 'Delete a link type that is not used, not even by artifacts in the trash.',
  description:
    'Removes a type of link. Site administrators. A type that a link or a tracker uses is 400 and names the trackers; others get 403.',
  access: 'signed_in',
  action: 'link_type.delete',
  params: { name: linkTypeParam },
  async handle({ viewer, params: { name } }, work) {
    requireSiteAdmin(viewer)
    const type = await lockLinkType(work.tx, name, 'delete')
    requireOwnLinkType(type)
    const trackers = [
      ...(await findTrackersByLinks(work.tx, name)),
      ...(await findTrackersByProgress(work.tx, name, MAX_NAMED_TRACKERS)),
    ]
    const used_by = [...new Map(trackers.map(({ id, label }) => [id, { type: 'tracker', id, label }])).values()]
    if (used_by.length > 0) throw new ApiError('rule_violated', { cause: 'link_type_used', used_by })
    await removeLinkType(work.tx, name)
    const { shortname, forward_label, reverse_label } = type
    await work.change({
      object: `link_types/${name}`,
      op: 'delete',
      before: { shortname, forward_label, reverse_label },
    })
    return {}
  },
})

/** Some trackers whose artifacts, also deleted ones, have links of the type. */
async function findTrackersByLinks(tx: Tx, name: string): Promise<LinkTypeUse[]> {
  // The second condition is that of the partial index.
  const { rows } = await sql<LinkTypeUse>`
    select distinct tracker.id, tracker.label from (
      select source_id from artifact_link where type = ${name} and type not in ('', '_is_child') limit ${MAX_READ_LINKS}
    ) link ${joinArtifact(sql`link.source_id`)} ${joinTracker(sql`artifact.tracker_id`)}
    order by tracker.id limit ${MAX_NAMED_TRACKERS}`.execute(tx)
  return rows
}
