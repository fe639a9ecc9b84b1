import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadRevisions, makeBrowsed, startBrowsedWorld } from '../../../../test/fixtures/browsed-repository.ts'
import { MARA } from '../../../../test/fixtures/people.ts'
import { type DumpedNode, type DumpedRevision, dumpOf } from '../../disk/svn-dump.ts'
import { createSeededRandom, type SeededRandom } from '../../../platform/operation/seeded-random.ts'
import { readPathHistory } from './history.ts'
import { type LogQuery, readRevisionNumbers } from './read-log.ts'
import { type Browsed, type SvnSession, withSession } from './session.ts'

type Tree = ReadonlyMap<string, 'dir' | 'file'>

const isBelow = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`)
const below = (tree: Tree, from: string, to: string) =>
  [...tree].filter(([path]) => isBelow(path, from)).map(([path, kind]) => [to + path.slice(from.length), kind] as const)

/** A random revision: changes, adds, copies, renames, deletes, or restores nodes. */
function nextRevision(random: SeededRandom, trees: readonly Tree[]): { nodes: DumpedNode[]; tree: Tree } {
  const revision = trees.length
  const now = trees[revision - 1] ?? new Map()
  const pick = (tree: Tree, kind?: string) => {
    const fitting = [...tree].filter(([, each]) => kind === undefined || each === kind).map(([path]) => path)
    return fitting[random.integer(fitting.length)]
  }
  const parent = pick(now, 'dir') ?? 'a'
  const free = (path: string) => (now.has(path) ? `${path}-${revision}` : path)
  const fresh = free(`${parent}/${['x', 'y', 'z'][random.integer(3)]}`)
  const action = random.integer(6)
  if (action === 0) return { nodes: [{ path: fresh, nodeAction: 'add' }], tree: new Map([...now, [fresh, 'dir']]) }
  if (action === 1)
    return { nodes: [{ path: fresh, nodeAction: 'add', content: 'new\n' }], tree: new Map([...now, [fresh, 'file']]) }
  if (action === 2 || action === 3) {
    const then = random.integer(revision - 1) + 1
    const source = pick(trees[then] ?? now) ?? 'a'
    const old = trees[then] ?? now
    const kind = old.get(source) ?? 'dir'
    const isRename = action === 3 && now.has(source) && source.includes('/') && !isBelow(fresh, source)
    const from = isRename ? revision - 1 : then
    const copy: DumpedNode = { path: fresh, kind, nodeAction: 'add', copiedFrom: { path: source, revision: from } }
    const kept = isRename ? [...now].filter(([path]) => !isBelow(path, source)) : [...now]
    return {
      nodes: isRename ? [copy, { path: source, nodeAction: 'delete' }] : [copy],
      tree: new Map([...kept, ...below(isRename ? now : old, source, fresh)]),
    }
  }
  const file = pick(now, 'file')
  if (file === undefined)
    return { nodes: [{ path: fresh, nodeAction: 'add' }], tree: new Map([...now, [fresh, 'dir']]) }
  if (action === 4 && random.integer(3) === 0)
    return { nodes: [{ path: file, nodeAction: 'delete' }], tree: new Map([...now].filter(([path]) => path !== file)) }
  return { nodes: [{ path: file, nodeAction: 'change', content: `changed in ${revision}\n` }], tree: now }
}

function generate(random: SeededRandom, size: number): { revisions: DumpedRevision[]; trees: Tree[] } {
  const roots = ['a', 'b', 'c']
  const trees: Tree[] = [new Map(), new Map(roots.map((path) => [path, 'dir']))]
  const nodes: DumpedNode[][] = [roots.map((path) => ({ path, nodeAction: 'add' }))]
  while (trees.length <= size) {
    const made = nextRevision(random, trees)
    trees.push(made.tree)
    nodes.push(made.nodes)
  }
  const date = new Date('2026-03-01T09:30:00Z')
  return { revisions: nodes.map((each) => ({ author: 'mara', message: 'Change.', date, nodes: each })), trees }
}

/** The revisions that svnserve returns for the viewer, and ours; undefined: not found. */
async function compare(session: SvnSession, browsed: Browsed, asked: LogQuery) {
  const wanted = await readRevisionNumbers(session, asked).catch(() => undefined)
  if (!wanted) return undefined
  const history = await readPathHistory(world.context, session, browsed, asked)
  return { wanted, found: Array.from({ length: history.size }, (_, place) => history.at(place)) }
}

const ACCESS = '[/b]\n* =\nmara = rw\n[/c/x]\n* =\nmara = rw\n[:glob:/**/z]\n* =\nmara = rw'
const random = createSeededRandom(20_261_115)
const generated = generate(random, 120)
const world = await startBrowsedWorld(generated.revisions, ACCESS)

test.each(['mara', 'tom'])('a history equals the one that svnserve returns for %s', async (login) => {
  const { api, svn, folder } = world
  expect((await api.get(`${svn}/tree`, { as: MARA })).status).toBe(200)
  const browsed = { folder, login }
  let compared = 0
  await withSession(browsed, 'own', async (session) => {
    for (let count = 0; count < 40; count++) {
      const to = 1 + random.integer(4) * 10
      const from = to + random.integer(generated.revisions.length - to)
      const paths = [...(generated.trees[from] ?? [])].map(([path]) => `/${path}`)
      const path = paths[random.integer(Math.min(paths.length, 9))] ?? '/a'
      const asked = { path, from, to, stopOnCopy: random.integer(3) === 0 }
      const both = await compare(session, browsed, asked)
      expect(both?.found, JSON.stringify(asked)).toEqual(both?.wanted)
      if (both) compared++
    }
  })
  expect(compared).toBeGreaterThan(10)
})

/** One path that held three different nodes, one of them twice. */
const REUSED: DumpedNode[][] = [
  [
    { path: 'a', nodeAction: 'add' },
    { path: 'b', nodeAction: 'add' },
  ],
  [{ path: 'a/x', nodeAction: 'add', content: '1\n' }],
  [{ path: 'a/x', nodeAction: 'change', content: '2\n' }],
  [
    { path: 'b/x', kind: 'file', nodeAction: 'add', copiedFrom: { path: 'a/x', revision: 3 } },
    { path: 'a/x', nodeAction: 'delete' },
  ],
  [{ path: 'a/x', nodeAction: 'add', content: 'other\n' }],
  [{ path: 'a/x', nodeAction: 'change', content: 'other 2\n' }],
  [{ path: 'a/x', nodeAction: 'delete' }],
  [{ path: 'a/x', kind: 'file', nodeAction: 'add', copiedFrom: { path: 'b/x', revision: 5 } }],
  [{ path: 'a/x', nodeAction: 'change', content: '3\n' }],
]

test.each(['upwards', 'downwards'])(
  'the cached history of a path is not used for another node at the same path, %s',
  async (order) => {
    const { folder } = await makeBrowsed(world, order, '[/b]\n* =\nmara = rw')
    const date = new Date('2026-03-01T09:30:00Z')
    await loadRevisions(folder, dumpOf(REUSED.map((nodes) => ({ author: 'mara', message: 'Change.', date, nodes }))))
    await writeFile(join(folder, 'conf', 'authz'), '[/]\n* = r\n[/b]\ntom =\n', { mode: 0o644 })
    const numbers = REUSED.map((_, at) => at + 1)
    const seen: string[] = []
    for (const login of ['mara', 'tom'])
      await withSession({ folder, login }, 'own', async (session) => {
        for (const from of order === 'upwards' ? numbers : numbers.toReversed())
          for (const path of ['/a/x', '/b/x'])
            for (const stopOnCopy of [false, true]) {
              const asked = { path, from, to: 1, stopOnCopy }
              const both = await compare(session, { folder, login }, asked)
              expect(both?.found, JSON.stringify({ login, ...asked })).toEqual(both?.wanted)
              if (both) seen.push(`${login} ${path} ${from} ${stopOnCopy}: ${both.found.join(' ')}`)
            }
      })
    expect(seen).toContain('mara /a/x 9 false: 9 8 4 3 2')
    expect(seen).toContain('tom /a/x 9 false: 9 8')
    expect(seen).toContain('mara /a/x 6 false: 6 5')
  },
)
