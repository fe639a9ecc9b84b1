import { type RawBuilder, sql } from 'kysely'

/** Whether the statement's `project` row uses the service. */
export function usesService(name: string): RawBuilder<boolean> {
  return sql`exists (select from project_service where project_service.project_id = project.id
    and project_service.name = ${name} and project_service.is_enabled)`
}
