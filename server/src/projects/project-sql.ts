import { type RawBuilder, sql } from 'kysely'
import { type Join, joining } from '../platform/database/aliases.ts'
import type { ProjectId, ProjectStatus } from './project.ts'

/** Joins the `project` row to a statement on data below it. */
export function joinProject(id: RawBuilder<unknown>): Join<'project'> {
  return joining(sql`join project on project.id = ${id}`, 'project')
}

/** Whether the statement's `project` row has one of these short names, ignoring case. */
export function hasShortname(shortnames: readonly string[]): RawBuilder<boolean> {
  return sql`(folded(project.shortname) = any(select folded(name) from unnest(${shortnames}::text[]) as name))`
}

/** The data of the statement's `project` row that trackers and artifacts need, as one JSON object. */
export const projectFacts = sql`jsonb_build_object('id', project.id, 'shortname', project.shortname,
  'label', project.label, 'icon', project.icon, 'status', project.status, 'rights_epoch', project.rights_epoch,
  'groups', coalesce((
    select jsonb_agg(jsonb_build_object('id', user_group.id, 'short_name', user_group.short_name)
      order by folded(user_group.short_name), user_group.id)
    from user_group where user_group.project_id = project.id), '[]'))`

/** One `project` row, for the `from` clause of a statement that evaluates conditions on it. */
export function oneProject(id: ProjectId): RawBuilder<unknown> {
  return sql`(select project.* from project where project.id = ${id}) project`
}

export const projectShortname = sql<string>`project.shortname`
export const projectIsActive = sql<boolean>`(project.status = 'active')`
export const projectStatus = sql<ProjectStatus>`project.status`

/** The label of a project; empty if it is purged. */
export function labelOfProject(id: RawBuilder<unknown>): RawBuilder<string> {
  return sql`coalesce((select project.label from project where project.id = ${id}), '')`
}
