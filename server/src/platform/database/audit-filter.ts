import { type RawBuilder, sql } from 'kysely'
import { allOf, type TimeRange, isWithinRange } from './conditions.ts'

/** Selects rows of `audit`. */
export interface AuditLogFilter extends TimeRange {
  actor?: number | undefined
  /** A name, or a prefix followed by `*`. */
  action?: string | undefined
  object?: string | undefined
  project?: number | undefined
  address?: string | undefined
  request_id?: string | undefined
  outcome?: 'done' | 'refused' | undefined
}

export function matchesAuditFilter(filter: AuditLogFilter): RawBuilder<boolean> {
  const { actor, action, object, project, address, request_id, outcome, from, to } = filter
  return allOf([
    ...(actor === undefined ? [] : [sql<boolean>`audit.actor_id = ${actor}`]),
    ...(action === undefined ? [] : [hasAction(action)]),
    ...(object === undefined ? [] : [sql<boolean>`audit.object = ${object}`]),
    ...(project === undefined ? [] : [sql<boolean>`audit.project_id = ${project}`]),
    ...(address === undefined ? [] : [sql<boolean>`audit.address = ${address}`]),
    ...(request_id === undefined ? [] : [sql<boolean>`audit.request_id = ${request_id}`]),
    ...(outcome === undefined ? [] : [sql<boolean>`audit.outcome = ${outcome}`]),
    ...isWithinRange(sql`audit."on"`, { from, to }),
  ])
}

function hasAction(action: string): RawBuilder<boolean> {
  if (!action.endsWith('*')) return sql`audit.action = ${action}`
  return sql`audit.action like ${`${action.slice(0, -1).replaceAll(/[\\%_]/g, String.raw`\$&`)}%`}`
}
