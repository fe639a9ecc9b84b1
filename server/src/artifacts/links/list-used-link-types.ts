import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Db } from '../../platform/database/db.ts'
import { cutPage } from '../../platform/http/pages.ts'
import { idParam, readRoute } from '../../platform/http/route.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { memberships } from '../../projects/groups/memberships.ts'
import { findTracker } from '../../trackers/find-tracker.ts'
import { everyLinkType } from '../../trackers/link-types/link-type.ts'
import type { TrackerId } from '../../trackers/tracker.ts'
import { maySeeArtifact, joinTrackerProjectAndMe } from '../visibility.ts'
import { readableLinkField } from './link-field.ts'

export const listUsedLinkTypes = readRoute({
  method: 'GET',
  path: '/trackers/:id/used_artifact_links',
  operationId: 'listUsedLinkTypes',
  summary: 'List the types of the links that start in a tracker.',
  description:
    'Lists the types of links that artifacts of this tracker really have. Everyone who may see the tracker. Hidden and absent objects are 404, for anonymous callers 401.',
  access: 'everyone',
  params: { id: idParam<TrackerId>('The tracker.') },
  pages: { default: 10, min: 0, max: 1000 },
  answer: Type.Array(
    Type.Object({
      shortname: Type.String({ description: 'Empty for links without a type.' }),
      forward_label: Type.String(),
    }),
  ),
  async handle({ context, viewer, params, page }) {
    const { db } = context
    const access = await findTracker(context, db, viewer, params.id)
    const used = readableLinkField(access) ? await usedTypes(db, viewer, params.id) : new Set()
    const types = (await everyLinkType(db)).filter(({ shortname }) => used.has(shortname))
    const { after, offset, limit } = page
    const from = after ? types.findIndex(({ shortname }) => shortname === after[0]) + 1 : offset
    const { rows, next, placeAt } = cutPage(types.slice(from), limit, ({ shortname }) => [shortname])
    const body = rows.map(({ shortname, forward_label }) => ({ shortname, forward_label }))
    return { body, size: types.length, next, placeAt }
  },
})

/** Only links whose both ends the viewer sees. */
async function usedTypes(db: Db, viewer: Viewer, tracker: TrackerId): Promise<ReadonlySet<string>> {
  const sees = maySeeArtifact(viewer, joinTrackerProjectAndMe)
  const { rows } = await sql<{ type: string }>`
    with me as materialized (${memberships(viewer)})
    select distinct link.type from artifact ${joinTrackerProjectAndMe} join artifact_link link on link.source_id = artifact.id
    where artifact.tracker_id = ${tracker} and ${sees} and exists (
      select from artifact ${joinTrackerProjectAndMe} where artifact.id = link.target_id and ${sees})`.execute(db)
  return new Set(rows.map(({ type }) => type))
}
