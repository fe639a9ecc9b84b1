import type { PeopleByLogin } from '../../projects/groups/people-by-login.ts'
import type { ProjectAccess } from '../../projects/project.ts'
import type { AccessRules } from '../repository.ts'

/** The data that the default block is built from. */
export interface AccessInputs {
  readonly people: PeopleByLogin
  readonly access: ProjectAccess
}

export interface CommentedLine {
  readonly line: number
  readonly group: string
}

interface Line {
  readonly text: string
  /** Line number in the user-written part, from 1; absent for generated lines. */
  readonly source?: number
}

const MEMBERS = 'members'
const SECTION = /^\[([^\]]*)\]\s*$/
const GROUP_ENTRY = /^@([^\s=:]+)\s*[=:]/

/** The user-written part as stored; lines that name unknown groups are commented out. */
export function normalizeAccessText(
  given: string,
  { people }: Pick<AccessInputs, 'people'>,
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
 * Builds the file that Subversion reads. A section may occur only once, so user-written lines of `[groups]` and `[/]`
 * are merged into the generated sections; a user-written line overrides the generated one for the same selector.
 */
export function composeAccessFile(
  stamp: string,
  { people, access }: AccessInputs,
  { text, has_default_permissions }: AccessRules,
): { text: string; readonly sourceOf: (line: number) => number | undefined } {
  const theirs = text.split('\n').map((line, at): Line => ({ text: line, source: at + 1 }))
  const [groups, others] = takeSection(theirs, 'groups')
  const [root, rest] = has_default_permissions ? takeSection(others, '/') : [[], others]
  const overridden = new Set(root.map(({ text: line }) => parseSelector(line)))
  const granted = [access === 'public' || access === 'unrestricted' ? '* = r' : '* =', `@${MEMBERS} = rw`]
  const lines: Line[] = [
    { text: stampLine(stamp) },
    { text: '# Begin of what Waypost makes itself.' },
    { text: '[groups]' },
    ...groupLines(people, text).map(generatedLine),
    ...groups,
    ...(has_default_permissions
      ? [
          generatedLine('[/]'),
          ...granted.filter((line) => !overridden.has(parseSelector(line))).map(generatedLine),
          ...root,
        ]
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

/** Replaces a login in the user-written part wherever it names a person. */
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

/** An empty group stays defined if the text names it: an undefined group makes the whole file invalid. */
function groupLines({ members, groups }: PeopleByLogin, text: string): string[] {
  const named = groups.filter(({ name, logins }) => name !== MEMBERS && (logins.length > 0 || namesGroup(text, name)))
  const line = (name: string, logins: readonly string[]) => `${name} = ${logins.join(', ')}`.trimEnd()
  return [line(MEMBERS, members), ...named.map(({ name, logins }) => line(name, logins))]
}

function namesGroup(text: string, group: string): boolean {
  return text.split(/[\s,=~]+/).includes(`@${group}`)
}

function generatedLine(text: string): Line {
  return { text }
}

/** Splits off the lines of the first section with this name, without its header. */
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
  return taken.flatMap(({ text }) => parseSelector(text) ?? [])
}

/** The selector (user or group) of a line; undefined if it has none. */
function parseSelector(line: string): string | undefined {
  const at = line.search(/[=:]/)
  return at <= 0 || /^[#\s]/.test(line) ? undefined : line.slice(0, at).trimEnd()
}
