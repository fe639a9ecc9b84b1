import { sql } from 'kysely'
import { type AskedLink, type StoredLinks, ValueFault } from '../../trackers/field-types/field-type.ts'
import { CHILD } from './link-field.ts'
import type { LinkPlanning, ReverseLink } from './link-planning.ts'

/**
 * Refuses a link that makes an artifact its own ancestor. Checks invisible artifacts too, because there is one tree.
 * The pending links of the artifact itself are used.
 */
export async function requireNoCycle(
  { db, found, stored }: LinkPlanning,
  forward: StoredLinks,
  reverse: readonly ReverseLink[],
  asked: readonly AskedLink[],
): Promise<void> {
  const children = Object.keys(forward).filter((id) => forward[id] === CHILD)
  const parents = reverse.filter(({ type }) => type === CHILD)
  if (parents.length === 0 && children.every((id) => stored[id] === CHILD)) return
  if (!found && parents.length === 0) return // A new artifact has no ancestors yet.
  const self = found?.artifact.id ?? null
  const gone = reverse.filter(({ type }) => type !== CHILD)
  const { rows } = await sql<{ id: number }>`
    with recursive above (id) as (
      select unnest(${parents.map(({ source }) => source)}::bigint[])
      union select link.source_id from artifact_link link
        where link.target_id = ${self}::bigint and link.type = ${CHILD}
          and link.source_id <> all(${gone.map(({ source }) => source)}::bigint[])
      union select link.source_id from above join artifact_link link on link.target_id = above.id
        and link.type = ${CHILD} and link.source_id is distinct from ${self}::bigint
    )
    select id from above where id = any(${children}::bigint[]) limit 1`.execute(db)
  const [cycle] = rows
  if (!cycle) return
  const path = asked.find(({ id }) => id === cycle.id)?.path ?? parents[0]?.path ?? 'links'
  throw new ValueFault('value_not_allowed', { cause: 'link_cycle', path })
}
