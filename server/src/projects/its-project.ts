import { type RawBuilder, sql } from 'kysely'
import type { ProjectId } from './project.ts'

/** Brings the row of `project` into a statement on what is below it. */
export function itsProject(id: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`join project on project.id = ${id}`
}

/** Whether the row of `project` that the statement looks at has one of these short names, whatever their case. */
export function isNamed(shortnames: readonly string[]): RawBuilder<boolean> {
  return sql`(folded(project.shortname) = any(select folded(name) from unnest(${shortnames}::text[]) as name))`
}

/** What trackers and artifacts show and check of the row of `project` that the statement looks at, as one object. */
export const projectFacts = sql`jsonb_build_object('id', project.id, 'shortname', project.shortname,
  'label', project.label, 'icon', project.icon, 'status', project.status, 'rights_epoch', project.rights_epoch,
  'groups', coalesce((
    select jsonb_agg(jsonb_build_object('id', user_group.id, 'short_name', user_group.short_name)
      order by folded(user_group.short_name), user_group.id)
    from user_group where user_group.project_id = project.id), '[]'))`

/** One row of `project`, for the `from` of a statement that only asks what hangs on it. */
export function oneProject(id: ProjectId): RawBuilder<unknown> {
  return sql`(select project.* from project where project.id = ${id}) project`
}

export const shortnameOf = sql<string>`project.shortname`
export const isActiveProject = sql<boolean>`(project.status = 'active')`
