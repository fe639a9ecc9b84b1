import { sql } from 'kysely'
import { type Origin, recordAudit } from '../../platform/database/audit.ts'
import { type Db, inTransaction } from '../../platform/database/db.ts'
import type { LinkType } from './link-type.ts'

// As long as the names and labels of a definition, which may name it.
const LONGEST = 255

/** For the server's own shell: a type of link that every project has from now on. */
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

/** A leading `_` is the platform's own. */
function requireShortname(shortname: string): void {
  if (!/^[a-z][a-z_]*$/.test(shortname))
    throw new Error('The short name of a link type takes a to z and `_`, and begins with a letter.')
  if (shortname.length > LONGEST) throw new Error(`The short name is longer than ${LONGEST} characters.`)
}

function requireLabel(direction: 'forward' | 'reverse', label: string): void {
  if (label === '') throw new Error(`The ${direction} label is empty.`)
  if (/\p{Cc}/u.test(label)) throw new Error(`The ${direction} label is more than one line of text.`)
  if (label.length > LONGEST) throw new Error(`The ${direction} label is longer than ${LONGEST} characters.`)
}
