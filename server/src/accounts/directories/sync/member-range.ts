import type { Entry } from 'ldapts'
import { readTexts } from '../directory-person.ts'

/** A part of the members of a large group, as Active Directory gives them: `member;range=0-1499`. */
interface MemberRange {
  readonly values: readonly string[]
  /** Where the next part begins; undefined: this is the last. */
  readonly next: number | undefined
}

/** Undefined: the entry has its members whole, or none. */
export function findMemberRange(entry: Entry, attribute: string): MemberRange | undefined {
  const prefix = `${attribute.toLowerCase()};range=`
  const name = Object.keys(entry).find((each) => each.toLowerCase().startsWith(prefix))
  if (name === undefined) return undefined
  const [, end = '*'] = /^\d+-(\d+|\*)$/.exec(name.slice(prefix.length)) ?? []
  return { values: readTexts(entry, name), next: end === '*' ? undefined : Number(end) + 1 }
}
