import { sql } from 'kysely'
import type { Sight } from '../../trackers/sight.ts'
import type { StoredValues } from '../../trackers/tracker.ts'
import type { LinkRow } from '../reading/find-artifact.ts'
import type { Audience } from '../reading/reading.ts'
import { itsPlaceFor, maySeeArtifact } from '../visibility.ts'
import { linksIn } from '../writing/effects.ts'
import { linkFieldOf } from './link-field.ts'

/**
 * The forward links of past values whose other ends the viewer sees today. One statement finds the ends of all of them,
 * however many versions are shown.
 */
export async function pastLinks(
  { db, viewer }: Audience,
  sight: Sight,
  states: readonly StoredValues[],
): Promise<(values: StoredValues) => readonly LinkRow[]> {
  const field = linkFieldOf(sight.tracker)
  const linksOf = (values: StoredValues) => linksIn(field && values[String(field.id)])
  const targets = new Set(states.flatMap(linksOf).map(({ target }) => target))
  if (targets.size === 0) return () => []
  const { rows } = await sql<Omit<LinkRow, 'type'>>`
    select artifact.id,
      jsonb_build_object('id', tracker.id, 'label', tracker.label, 'color_name', tracker.color_name) as tracker,
      jsonb_build_object('id', project.id, 'label', project.label, 'icon', project.icon) as project
    from artifact ${itsPlaceFor(viewer)}
    where artifact.id = any(${[...targets]}::bigint[]) and ${maySeeArtifact(viewer)} order by artifact.id`.execute(db)
  return (values) => {
    const types = new Map(linksOf(values).map(({ target, type }) => [target, type]))
    return rows.flatMap((row) => {
      const type = types.get(row.id)
      return type === undefined ? [] : [{ ...row, type }]
    })
  }
}
