import { sql } from 'kysely'
import type { TrackerAccess } from '../../trackers/tracker-access.ts'
import type { StoredValues } from '../../trackers/tracker.ts'
import type { LinkRow } from '../reading/look-rows.ts'
import type { Audience } from '../reading/audience.ts'
import { joinTrackerProjectAndMemberships, maySeeArtifact } from '../visibility.ts'
import { linkFieldOf, storedLinkRows } from './link-field.ts'

/** The forward links of past values whose other ends the viewer sees now. One statement covers all versions. */
export async function pastLinks(
  { db, viewer }: Audience,
  access: TrackerAccess,
  states: readonly StoredValues[],
): Promise<(values: StoredValues) => readonly LinkRow[]> {
  const field = linkFieldOf(access.tracker)
  const linksOf = (values: StoredValues) => storedLinkRows(field && values[String(field.id)])
  const targets = new Set(states.flatMap(linksOf).map(({ target }) => target))
  if (targets.size === 0) return () => []
  const joined = joinTrackerProjectAndMemberships(viewer)
  const { rows } = await sql<Omit<LinkRow, 'type'>>`
    select artifact.id,
      jsonb_build_object('id', tracker.id, 'label', tracker.label, 'color_name', tracker.color_name) as tracker,
      jsonb_build_object('id', project.id, 'label', project.label, 'icon', project.icon) as project
    from artifact ${joined}
    where artifact.id = any(${[...targets]}::bigint[]) and ${maySeeArtifact(viewer, joined)} order by artifact.id`.execute(
    db,
  )
  return (values) => {
    const types = new Map(linksOf(values).map(({ target, type }) => [target, type]))
    return rows.flatMap((row) => {
      const type = types.get(row.id)
      return type === undefined ? [] : [{ ...row, type }]
    })
  }
}
