import type { PeopleByLogin } from '../../projects/groups/people-by-login.ts'
import type { ProjectAccess } from '../../projects/project.ts'
import type { AccessRules } from '../repository.ts'

/** What the default block is made of. */
export interface AccessGround {
  readonly people: PeopleByLogin
  readonly access: ProjectAccess
}

export interface CommentedLine {
  readonly line: number
  readonly group: string
}

interface Line {
  readonly text: string
  /** In the part that people write, from 1; absent: it is ours. */
  readonly source?: number
}

const MEMBERS = 'members'
const SECTION = /^\[([^\]]*)\]\s*$/
const GROUP_ENTRY = /^@([^\s=:]+)\s*[=:]/

/** The part that people write, as it is kept; lines for groups that there are not are commented out. */
export function tidyAccessText(
  given: string,
  { people }: Pick<AccessGround, 'people'>,
): { text: string; commented: CommentedLine[] } {
  const lines = given.replaceAll('\r', '').trim().split('\n')
  const defaults = people.groups.filter(({ logins }) => logins.length > 0).map(({ name }) => name)
  const known = new Set([MEMBERS, ...defaults, ...ownGroups(lines)])
  const commented: CommentedLine[] = []
  const kept = lines.map((line, at) => {
    const group = GROUP_ENTRY.exec(line)?.[1]
    if (group === undefined || known.has(group)) return line
    commented.push({ line: at + 1, group })
    return `# ${line}`
  })
  return { text: kept.join('\n'), commented }
}

/**
 * The file as Subversion reads it. It takes each section once only, so that what people write for `[groups]` and `[/]` is
 * moved into ours; there, a line of theirs takes the place of ours for the same people.
 */
export function composeAccessFile(
  stamp: string,
  { people, access }: AccessGround,
  { text, has_default_permissions }: AccessRules,
): { text: string; readonly sourceOf: (line: number) => number | undefined } {
  const theirs = text.split('\n').map((line, at): Line => ({ text: line, source: at + 1 }))
  const [groups, others] = takeSection(theirs, 'groups')
  const [root, rest] = has_default_permissions ? takeSection(others, '/') : [[], others]
  const overridden = new Set(root.map(({ text: line }) => selectorOf(line)))
  const granted = [access === 'public' || access === 'unrestricted' ? '* = r' : '* =', `@${MEMBERS} = rw`]
  const lines: Line[] = [
    { text: stampLine(stamp) },
    { text: '# Begin of what Waypost makes itself.' },
    { text: '[groups]' },
    ...groupLines(people, text).map(ours),
    ...groups,
    ...(has_default_permissions
      ? [ours('[/]'), ...granted.filter((line) => !overridden.has(selectorOf(line))).map(ours), ...root]
      : []),
    { text: '# End of what Waypost makes itself.' },
    ...rest,
  ]
  return {
    text: `${lines.map((line) => line.text).join('\n')}\n`,
    sourceOf: (line) => lines[line - 1]?.source,
  }
}

export function stampLine(stamp: string): string {
  return `# Waypost ${stamp}`
}

/** The part that people write, with one login in the place of another, wherever it means a person. */
export function renameLogin(text: string, from: string, to: string): string {
  let section = ''
  return text
    .split('\n')
    .map((line) => {
      section = SECTION.exec(line)?.[1] ?? section
      if (line.startsWith('#')) return line
      const at = line.search(/[=:]/)
      if (at === -1) return line
      const name = line.slice(0, at).trimEnd()
      const [between, values] = [line.slice(name.length, at + 1), line.slice(at + 1)]
      if (section !== 'groups' && section !== 'aliases') return `${swapSelector(name, from, to)}${between}${values}`
      const swapped = values
        .split(',')
        .map((each) => (each.trim() === from ? each.replace(from, to) : each))
        .join(',')
      return `${name}${between}${swapped}`
    })
    .join('\n')
}

function swapSelector(name: string, from: string, to: string): string {
  const bare = name.startsWith('~') ? name.slice(1) : name
  return bare === from ? name.replace(from, to) : name
}

/** A group that has lost its people is empty, not unknown: the lines that name it would spoil the whole file. */
function groupLines({ members, groups }: PeopleByLogin, text: string): string[] {
  const named = groups.filter(({ name, logins }) => name !== MEMBERS && (logins.length > 0 || names(text, name)))
  const line = (name: string, logins: readonly string[]) => `${name} = ${logins.join(', ')}`.trimEnd()
  return [line(MEMBERS, members), ...named.map(({ name, logins }) => line(name, logins))]
}

function names(text: string, group: string): boolean {
  return text.split(/[\s,=~]+/).includes(`@${group}`)
}

function ours(text: string): Line {
  return { text }
}

/** The lines of the first section of this name, without its head, and all others. */
function takeSection(lines: readonly Line[], name: string): [taken: Line[], rest: Line[]] {
  const begin = lines.findIndex(({ text }) => SECTION.exec(text)?.[1] === name)
  if (begin === -1) return [[], [...lines]]
  const length = lines.slice(begin + 1).findIndex(({ text }) => text.startsWith('['))
  const end = length === -1 ? lines.length : begin + 1 + length
  return [lines.slice(begin + 1, end), [...lines.slice(0, begin), ...lines.slice(end)]]
}

function ownGroups(lines: readonly string[]): string[] {
  const [taken] = takeSection(
    lines.map((text) => ({ text })),
    'groups',
  )
  return taken.flatMap(({ text }) => selectorOf(text) ?? [])
}

/** Whom a line is about; undefined: nobody. */
function selectorOf(line: string): string | undefined {
  const at = line.search(/[=:]/)
  return at <= 0 || /^[#\s]/.test(line) ? undefined : line.slice(0, at).trimEnd()
}
