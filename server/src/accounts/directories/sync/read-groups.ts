import { type Entry, FilterParser, PresenceFilter } from 'ldapts'
import type { DirectoryConnection } from '../directory-connection.ts'
import { DirectoryUnavailable } from '../directory-error.ts'
import { readTexts } from '../directory-person.ts'
import { normalizeDn } from '../normalize-dn.ts'
import { findMemberRange } from './member-range.ts'
import type { SyncRun } from './sync-run.ts'

/** A group of a directory: its name, and its members as DNs or logins. */
export interface DirectoryGroup {
  readonly dn: string
  readonly name: string | undefined
  readonly members: readonly string[]
}

const NAME_ATTRIBUTE = 'cn'
const MAX_GROUPS = 100_000

/** All groups below the base, by their normalized DNs: nested ones are found without asking again. */
export async function readGroups(run: SyncRun, connection: DirectoryConnection): Promise<Map<string, DirectoryGroup>> {
  const { groups_base, groups_filter, member_attribute } = run.directory.settings
  const groups = new Map<string, DirectoryGroup>()
  const large: Entry[] = []
  if (groups_base === null) return groups
  const add = (entry: Entry, members: readonly string[]) => {
    const dn = normalizeDn(entry.dn)
    if (dn !== undefined) groups.set(dn, { dn, name: readTexts(entry, NAME_ATTRIBUTE)[0], members })
  }
  const pages = connection.pages({
    base: groups_base,
    filter: FilterParser.parseString(groups_filter),
    attributes: [NAME_ATTRIBUTE, member_attribute],
  })
  for await (const page of pages) {
    for (const entry of page)
      if (findMemberRange(entry, member_attribute)) large.push(entry)
      else add(entry, readTexts(entry, member_attribute))
    run.counts.groups += page.length
    if (run.counts.groups > MAX_GROUPS)
      throw new DirectoryUnavailable('size', `There are more than ${MAX_GROUPS} groups.`)
  }
  for (const entry of large) add(entry, await readLargeGroup(connection, entry, member_attribute))
  return groups
}

async function readLargeGroup(connection: DirectoryConnection, entry: Entry, attribute: string): Promise<string[]> {
  const members: string[] = []
  for (let range = findMemberRange(entry, attribute); range; ) {
    members.push(...range.values)
    if (range.next === undefined) return members
    const [more] = await connection.search({
      base: entry.dn,
      scope: 'base',
      filter: new PresenceFilter({ attribute: 'objectClass' }),
      attributes: [`${attribute};range=${range.next}-*`],
    })
    range = more && findMemberRange(more, attribute)
  }
  throw new DirectoryUnavailable('answer', `The members of ${entry.dn} could not be read to the end.`)
}
