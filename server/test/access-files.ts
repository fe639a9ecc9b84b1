import { constantFrom, sample, tuple, uniqueArray } from 'fast-check'
import { runTool } from '../src/repositories/disk/run-tool.ts'
import type { Person } from './people.ts'
import type { DumpedRevision } from './svn-dump.ts'

/** Trees of one shape, side by side: what an access file says of one says little of the next, so that one file is many. */
const TREES = ['apple', 'birch', 'cedar', 'Dogwood', 'elm', 'fir', 'ginkgo', 'hazel'].map((name) => `/${name}`)
export const FOLDERS = ['/', ...TREES.flatMap((tree) => [tree, `${tree}/a`, `${tree}/a/b`, `${tree}/d`])]
export const FILES = TREES.flatMap((tree) => [`${tree}/a/b/c`, `${tree}/a/Key`])
export const PATHS: readonly string[] = [...FOLDERS, ...FILES]

/** A revision in which there are all of them, each with something to see. */
export const ALL_PATHS: DumpedRevision = {
  author: 'mara',
  message: 'All.',
  date: new Date('2026-03-01T09:30:00Z'),
  nodes: [
    ...FOLDERS.slice(1).map((path) => ({ path: path.slice(1), action: 'add' as const, props: { note: 'seen' } })),
    ...FILES.map((path) => ({ path: path.slice(1), action: 'add' as const, content: 'text\n' })),
  ],
}

/** Whom a line may mean. */
const SELECTORS = [
  '*',
  'tom',
  'uma',
  'gus',
  'olga',
  '@members',
  '@leads',
  '@own',
  '~tom',
  '~@leads',
  '$authenticated',
  '$anonymous',
]
const lines = uniqueArray(tuple(constantFrom(...SELECTORS), constantFrom('', 'r', 'rw')), {
  minLength: 1,
  maxLength: 4,
  selector: ([who]) => who,
})

function sectionsOf(heads: readonly string[], { least, most }: { least: number; most: number }) {
  const section = tuple(constantFrom(...heads), lines)
  return uniqueArray(section, { minLength: least, maxLength: most, selector: ([head]) => head })
}

function headsIn(tree: string, repository: string): string[] {
  const paths = PATHS.filter((path) => path === tree || path.startsWith(`${tree}/`))
  return [
    ...paths.flatMap((path) => [`[${path}]`, `[${repository}:${path}]`]),
    `[:glob:${tree}/**/b]`,
    `[:glob:${tree}/*]`,
    `[:glob:${repository}:${tree}/a/**]`,
    `[:glob:${tree}/**/[Kk]ey]`,
    `[other:${tree}/a]`,
  ]
}

/** Access files with sections, wildcards and orders of all kinds, the same ones from the same seed. */
export function generateAccessFiles(repository: string, count: number, seed: number): string[] {
  const heads = ['[/]', `[${repository}:/]`, '[other:/]', '[:glob:/**/b]', '[:glob:/*]', '[:glob:/**/[Dd]*]']
  const sections = tuple(
    sectionsOf(heads, { least: 0, most: 2 }),
    ...TREES.map((tree) => sectionsOf(headsIn(tree, repository), { least: 1, most: 5 })),
  )
  return sample(sections, { numRuns: count, seed }).map((generated) =>
    [
      '[groups]',
      'own = olga, @members',
      ...generated
        .flat()
        .flatMap(([head, rights]) => [head, ...rights.map(([who, right]) => `${who} = ${right}`.trimEnd())]),
    ].join('\n'),
  )
}

export type Right = 'no' | 'r' | 'rw'

/** One shell for many questions: to start a process from here costs more than the answer. */
const ASK_ALL =
  'repository=$1; file=$2; who=$3; shift 3; for path; do svnauthz accessof --username "$who" --repository "$repository" --path "$path" "$file"; done'

/** What Subversion's own tool finds in an access file: the right of a person to each path. */
export async function readRights(file: string, repository: string, { login }: Person): Promise<Map<string, Right>> {
  const { stdout } = await runTool('sh', ['-c', ASK_ALL, 'sh', repository, file, login, ...PATHS])
  const said = stdout.toString().trimEnd().split('\n')
  if (said.length !== PATHS.length) throw new Error(`${said.length} answers to ${PATHS.length} questions.`)
  return new Map(PATHS.map((path, at) => [path, rightIn(said[at])]))
}

function rightIn(said: string | undefined): Right {
  if (said === 'no' || said === 'r' || said === 'rw') return said
  throw new Error(`svnauthz said ${said}.`)
}
