import { type RawBuilder, sql } from 'kysely'
import { type Static, Type } from 'typebox'
import { UserMinimal } from '../../../accounts/users/schemas.ts'
import { type FullUserRow, representUserMinimal, usersByIdSql } from '../../../accounts/users/user.ts'
import type { Context } from '../../../platform/operation/context.ts'
import { nullable } from '../../../platform/wire/nullable.ts'
import { QuickPlace, QuickTracker } from '../../../projects/search/quick-kind.ts'
import { loadQuickTrackers } from '../../../trackers/quick-trackers.ts'
import type { FacetCounts, FacetedMatch } from './count-facets.ts'

const count = Type.Integer()

export const SearchFacets = Type.Object(
  {
    projects: Type.Array(Type.Object({ project: QuickPlace, count })),
    trackers: Type.Array(Type.Object({ tracker: QuickTracker, count })),
    is_open: Type.Array(Type.Object({ is_open: Type.Boolean(), count })),
    assignees: Type.Array(Type.Object({ user: nullable(UserMinimal, 'null: without an assignee.'), count })),
    changed_within: Type.Array(Type.Object({ days: Type.Integer(), count })),
  },
  {
    title: 'SearchFacets',
    description:
      'How many matches each value has, the most frequent first. Each facet applies the other filters, and not its own.',
  },
)
type SearchFacets = Static<typeof SearchFacets>

/** `matches`: those that were counted, so the viewer has seen their trackers and assignees. */
export async function representFacets(
  context: Context,
  counts: FacetCounts,
  matches: readonly FacetedMatch[],
): Promise<SearchFacets> {
  const ofProjects = counts.projects.map(
    ({ value }) => matches.find(({ project_id }) => project_id === value)?.tracker_id,
  )
  const ids = [...counts.trackers.map(({ value }) => value), ...ofProjects.filter((id) => id !== undefined)]
  const known = await loadQuickTrackers(context, [...new Set(ids)])
  const people = await findPeople(
    context,
    counts.assignees.map(({ value }) => value),
  )
  return {
    projects: counts.projects.flatMap(({ value, count: found }) => {
      const project = known.find((tracker) => tracker.project.id === value)?.project
      return project ? [{ project, count: found }] : []
    }),
    trackers: counts.trackers.flatMap(({ value, count: found }) => {
      const tracker = known.find(({ id }) => id === value)
      return tracker ? [{ tracker, count: found }] : []
    }),
    is_open: counts.is_open.map(({ value, count: found }) => ({ is_open: value, count: found })),
    assignees: counts.assignees.map(({ value, count: found }) => ({ user: people.get(value) ?? null, count: found })),
    changed_within: counts.changed_within.map(({ value, count: found }) => ({ days: value, count: found })),
  }
}

async function findPeople(context: Context, ids: readonly number[]): Promise<Map<number, Static<typeof UserMinimal>>> {
  const users: RawBuilder<FullUserRow> = sql`${usersByIdSql(sql`${ids}::bigint[]`)}`
  const { rows } = await users.execute(context.db)
  return new Map(rows.map((row) => [row.id, representUserMinimal(context, row)]))
}
