import { type RawBuilder, sql } from 'kysely'
import { allOf, type Range, within } from './conditions.ts'

/** Which rows of `audit` are wanted. */
export interface AuditFilter extends Range {
  actor?: number | undefined
  /** A name, or the beginning of names with `*` behind it. */
  action?: string | undefined
  object?: string | undefined
  project?: number | undefined
  address?: string | undefined
  request_id?: string | undefined
  outcome?: 'done' | 'refused' | undefined
}

export function fitsFilter(filter: AuditFilter): RawBuilder<boolean> {
  const { actor, action, object, project, address, request_id, outcome, from, to } = filter
  return allOf([
    ...(actor === undefined ? [] : [sql<boolean>`audit.actor_id = ${actor}`]),
    ...(action === undefined ? [] : [hasAction(action)]),
    ...(object === undefined ? [] : [sql<boolean>`audit.object = ${object}`]),
    ...(project === undefined ? [] : [sql<boolean>`audit.project_id = ${project}`]),
    ...(address === undefined ? [] : [sql<boolean>`audit.address = ${address}`]),
    ...(request_id === undefined ? [] : [sql<boolean>`audit.request_id = ${request_id}`]),
    ...(outcome === undefined ? [] : [sql<boolean>`audit.outcome = ${outcome}`]),
    ...within(sql`audit."on"`, { from, to }),
  ])
}

function hasAction(action: string): RawBuilder<boolean> {
  if (!action.endsWith('*')) return sql`audit.action = ${action}`
  return sql`audit.action like ${`${action.slice(0, -1).replaceAll(/[\\%_]/g, String.raw`\$&`)}%`}`
}
