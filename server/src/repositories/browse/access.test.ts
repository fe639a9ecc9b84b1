import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { constantFrom, sample, tuple, uniqueArray } from 'fast-check'
import { expect, test } from 'vitest'
import { startBrowsedWorld } from '../../../test/browsed-repository.ts'
import { GUS, MARA, OLGA, type Person, TOM, UMA, VICTOR } from '../../../test/people.ts'
import { ORCHARD } from '../../../test/places.ts'
import { composeAccessFile } from '../access/access-file.ts'
import { readGround } from '../access/read-ground.ts'
import { runTool } from '../disk/run-tool.ts'

const FOLDERS = ['/', '/a', '/a/b', '/a/d', '/trunk', '/trunk/deep']
const FILES = ['/a/b/c', '/a/b/Key', '/trunk/key']
const PATHS = [...FOLDERS, ...FILES]

const { api, svn, context, folder } = await startBrowsedWorld(
  [
    {
      author: 'mara',
      message: 'All.',
      date: new Date('2026-03-01T09:30:00Z'),
      nodes: [
        ...FOLDERS.slice(1).map((path) => ({ path: path.slice(1), action: 'add' as const })),
        ...FILES.map((path) => ({ path: path.slice(1), action: 'add' as const, content: 'text\n' })),
      ],
    },
  ],
  '',
)

const set = (access_file: string, has_default_permissions = true) =>
  api.put(svn, {
    as: MARA,
    body: {
      settings: {
        commit_rules: { is_reference_mandatory: false, is_commit_message_change_allowed: false },
        immutable_tags: { paths: [], whitelist: [] },
        access_file,
        email_notifications: [],
        has_default_permissions,
      },
    },
  })
const read = (path: string, as: Person) =>
  api.get(`${svn}/${FILES.includes(path) ? 'file' : 'tree'}?path=${path}`, { as })
const statuses = async (path: string, as: Person) =>
  Promise.all(
    ['tree', 'file', 'log', 'diff', 'blame'].map(
      async (what) => (await api.get(`${svn}/${what}?path=${path}`, { as })).status,
    ),
  )

test('Z36 a changed access file is in force for the very next request', async () => {
  await set('')
  expect((await read('/a/b', TOM)).status).toBe(200)
  await set('[/a/b]\ntom =')
  expect((await read('/a/b', TOM)).status).toBe(404)
  expect((await read('/a/b', UMA)).status).toBe(200)
  await set('')
  expect((await read('/a/b', TOM)).status).toBe(200)
})

test('who may read nothing but a part finds that part, and of a revision no more', async () => {
  await set('[/]\n* =\n@members =\n[/a/b]\ntom = r')
  expect(await statuses('/', TOM)).toEqual([404, 404, 404, 404, 404])
  expect(await statuses('/a', TOM)).toEqual([404, 404, 404, 404, 404])
  expect((await statuses('/a/b', TOM)).toSpliced(3, 1)).toEqual([200, 404, 200, 404])
  expect((await statuses('/a/b/c', TOM)).toSpliced(3, 1)).toEqual([404, 200, 200, 200])
  const { json } = await api.get(`${svn}/revisions`, { as: TOM })
  expect(json).toMatchObject([{ revision: 1, author_name: 'mara', message: null, paths_hidden: true }])
  expect((await api.get(`${svn}/revisions?text=all`, { as: TOM })).json).toEqual([])
  expect((await api.get(`${svn}/revisions?author=mara`, { as: TOM })).json).toEqual(json)
  expect(json[0].paths.map(({ path }: { path: string }) => path)).toEqual(['/a/b', '/a/b/Key', '/a/b/c'])
})

test('who may read nothing at all finds nothing but numbers of revisions', async () => {
  await set('[/]\n* =\n@members =')
  expect(await statuses('/', OLGA)).toEqual([404, 404, 404, 404, 404])
  const { json } = await api.get(`${svn}/revisions/1`, { as: OLGA })
  expect([json.revision, new Set(Object.values({ ...json, revision: null }))]).toEqual([1, new Set([null])])
  expect((await api.get(`${svn}/revisions`, { as: OLGA })).json).toEqual([json])
})

test('Z38 an access file that cannot be read lets nobody see anything', async () => {
  await set('')
  expect((await read('/', MARA)).status).toBe(200)
  const file = join(folder, 'conf', 'authz')
  const { stdout } = await runTool('head', ['-1', file])
  await writeFile(file, `${stdout.toString()}[broken\n`)
  for (const path of PATHS) expect((await read(path, MARA)).status).toBe(404)
  await set('[/a]\ntom = rw')
  expect((await read('/', MARA)).status).toBe(200)
})

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
const section = tuple(
  constantFrom(
    ...PATHS.flatMap((path) => [`[${path}]`, `[garden:${path}]`]),
    '[other:/a]',
    '[:glob:/**/b]',
    '[:glob:/*]',
    '[:glob:garden:/a/**]',
    '[:glob:/**/[Kk]ey]',
  ),
  uniqueArray(tuple(constantFrom(...SELECTORS), constantFrom('', 'r', 'rw')), {
    minLength: 1,
    maxLength: 4,
    selector: ([one]) => one,
  }),
)
const accessFile = uniqueArray(section, { minLength: 1, maxLength: 6, selector: ([head]) => head })
const READERS: readonly Person[] = [TOM, UMA, GUS, OLGA, VICTOR]
/** How many (file, person, path) are tried. */
const TRIPLES = Number(process.env['WAYPOST_TEST_TRIPLES'] ?? 270)

test(`Z42 browsing shows what Subversion's own tool finds in the access file, ${TRIPLES} times`, {
  timeout: 600_000,
}, async () => {
  const ground = await readGround(context.db, ORCHARD)
  const oracle = join(folder, 'conf', 'oracle')
  const files = Math.ceil(TRIPLES / (READERS.length * PATHS.length))
  const wrong: string[] = []
  for (const sections of sample(accessFile, { numRuns: files, seed: 20_261_115 })) {
    const text = [
      '[groups]',
      'own = olga, @members',
      ...sections.flatMap(([head, lines]) => [head, ...lines.map(([who, right]) => `${who} = ${right}`.trimEnd())]),
    ].join('\n')
    expect((await set(text)).status).toBe(200)
    await writeFile(oracle, composeAccessFile('oracle', ground, { text, has_default_permissions: true }).text)
    const triples = READERS.flatMap((person) => PATHS.map((path) => ({ person, path })))
    for (let at = 0; at < triples.length; at += 9)
      await Promise.all(
        triples.slice(at, at + 9).map(async ({ person, path }) => {
          const asked = ['--username', person.login, '--path', path, '--repository', 'garden', oracle]
          const [{ stdout }, { status }] = await Promise.all([
            runTool('svnauthz', ['accessof', ...asked]),
            read(path, person),
          ])
          const wanted = stdout.toString().trim() === 'no' ? 404 : 200
          if (status !== wanted) wrong.push(`${person.login} ${path}: ${status} instead of ${wanted} in\n${text}`)
        }),
      )
  }
  expect(wrong).toEqual([])
})
