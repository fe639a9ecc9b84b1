import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import type { LinkType } from './link-type.ts'

export interface FoundLinkType extends LinkType {
  /** Made by the platform. */
  readonly is_system: boolean
  /** Only the platform writes links of this type. */
  readonly is_reserved: boolean
}

const columns = sql`link_type.shortname, link_type.forward_label, link_type.reverse_label, link_type.is_system, link_type.is_reserved`
const inOrder = sql`order by not link_type.is_system, link_type.shortname`

/** All link types, those of the platform first. */
export async function findLinkTypes(db: Db | Tx): Promise<FoundLinkType[]> {
  const { rows } = await sql<FoundLinkType>`select ${columns} from link_type ${inOrder}`.execute(db)
  return rows
}

/** The same, and whether each is enabled in the project. */
export async function findProjectLinkTypes(
  db: Db | Tx,
  project: number,
): Promise<(FoundLinkType & { is_enabled: boolean })[]> {
  const { rows } = await sql<FoundLinkType & { is_enabled: boolean }>`
    select ${columns}, link_type.is_system or not exists (select from disabled_link_type disabled
      where disabled.project_id = ${project} and disabled.shortname = link_type.shortname) as is_enabled
    from link_type ${inOrder}`.execute(db)
  return rows
}

/** Link types are public: an unknown one is the same for all callers. */
export function requireLinkType<Type extends LinkType>(types: readonly Type[], name: string): Type {
  const found = types.find(({ shortname }) => shortname === name)
  if (!found) throw new ApiError('not_found')
  return found
}

/** Finds a type for a write. A deletion waits for links of the type that are being written; a change does not. */
export async function lockLinkType(tx: Tx, name: string, lock: 'change' | 'delete'): Promise<FoundLinkType> {
  requireLinkType(await findLinkTypes(tx), name) // Names of any form are compared here, not by the database.
  const { rows } = await sql<FoundLinkType>`
    select ${columns} from link_type where link_type.shortname = ${name} ${LOCKS[lock]}`.execute(tx)
  return requireLinkType(rows, name)
}

const LOCKS: Readonly<Record<'change' | 'delete', RawBuilder<unknown>>> = {
  change: sql`for no key update`,
  delete: sql`for update`,
}

export function requireOwnLinkType({ is_system, is_reserved }: FoundLinkType): void {
  if (is_system || is_reserved) throw new ApiError('rule_violated', { cause: 'link_type_built_in' })
}
