import { globSync, readFileSync } from 'node:fs'

export interface Case {
  readonly id: string
  readonly state: string
  /** Where it is tested. */
  readonly files: readonly string[]
}

/** The cases of docs/attacks.md. */
export function readCases(): Case[] {
  const rows = readFileSync('docs/attacks.md', 'utf8').matchAll(/^\| ([A-Z]\d\d) \|[^|]*\|[^|]*\| ([^|]*) \|$/gm)
  return [...rows].map(([, id = '', state = '']) => ({
    id,
    state,
    files: state.startsWith('tested: ')
      ? [...state.matchAll(/`([^`]*)`/g)].map(([, file = '']) => (file.startsWith('web/') ? file : `server/${file}`))
      : [],
  }))
}

/** The ids at the start of titles, with their files. Parsed from the source, so skipped tests count too. */
export function readTitles(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const file of globSync(['server/**/*.test.ts', 'web/{src,test}/**/*.test.ts']))
    for (const [, id = ''] of readFileSync(file, 'utf8').matchAll(/\(\s*['"`]([A-Z]\d\d)(?:\/[\w-]+)? /g))
      found.set(id, (found.get(id) ?? new Set()).add(file))
  return found
}
