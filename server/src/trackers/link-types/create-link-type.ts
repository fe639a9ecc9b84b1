import { sql } from 'kysely'
import { type Origin, recordAudit } from '../../platform/database/audit.ts'
import { type Db, inTransaction } from '../../platform/database/db.ts'
import type { LinkType } from './link-type.ts'

// The same limit as for names and labels in definitions, which may refer to it.
const MAX_LABEL_LENGTH = 255

/** CLI: creates a link type for every project. */
export async function createLinkType(db: Db, origin: Origin, given: LinkType): Promise<void> {
  const type = { ...given, forward_label: given.forward_label.trim(), reverse_label: given.reverse_label.trim() }
  requireShortname(type.shortname)
  requireLabel('forward', type.forward_label)
  requireLabel('reverse', type.reverse_label)
  await inTransaction(db, async (tx) => {
    const { rows } = await sql`
      insert into link_type (shortname, forward_label, reverse_label)
      values (${type.shortname}, ${type.forward_label}, ${type.reverse_label})
      on conflict do nothing returning shortname`.execute(tx)
    if (rows.length === 0) throw new Error(`There is a link type ${type.shortname} already.`)
    await recordAudit(tx, origin, { action: 'link_type.create', object: `link_types/${type.shortname}`, after: type })
  })
}

/** A leading `_` is reserved for the platform. */
function requireShortname(shortname: string): void {
  if (!/^[a-z][a-z_]*$/.test(shortname))
    throw new Error('The short name of a link type takes a to z and `_`, and begins with a letter.')
  if (shortname.length > MAX_LABEL_LENGTH)
    throw new Error(`The short name is longer than ${MAX_LABEL_LENGTH} characters.`)
}

function requireLabel(direction: 'forward' | 'reverse', label: string): void {
  if (label === '') throw new Error(`The ${direction} label is empty.`)
  if (/\p{Cc}/u.test(label)) throw new Error(`The ${direction} label is more than one line of text.`)
  if (label.length > MAX_LABEL_LENGTH)
    throw new Error(`The ${direction} label is longer than ${MAX_LABEL_LENGTH} characters.`)
}
