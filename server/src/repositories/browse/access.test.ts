import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startBrowsedWorld } from '../../../test/fixtures/browsed-repository.ts'
import { MARA, OLGA, type TestPerson, TOM, UMA } from '../../../test/fixtures/people.ts'
import { runTool } from '../disk/run-tool.ts'

const FOLDERS = ['/', '/a', '/a/b', '/a/d', '/trunk', '/trunk/deep']
const FILES = ['/a/b/c', '/a/b/Key', '/trunk/key']
const PATHS = [...FOLDERS, ...FILES]

const { api, svn, folder } = await startBrowsedWorld(
  [
    {
      author: 'mara',
      message: 'All.',
      date: new Date('2026-03-01T09:30:00Z'),
      nodes: [
        ...FOLDERS.slice(1).map((path) => ({ path: path.slice(1), nodeAction: 'add' as const })),
        ...FILES.map((path) => ({ path: path.slice(1), nodeAction: 'add' as const, content: 'text\n' })),
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
const read = (path: string, as: TestPerson) =>
  api.get(`${svn}/${FILES.includes(path) ? 'file' : 'tree'}?path=${path}`, { as })
const statuses = async (path: string, as: TestPerson) =>
  Promise.all(
    ['tree', 'file', 'log', 'diff', 'blame'].map(
      async (what) => (await api.get(`${svn}/${what}?path=${path}`, { as })).status,
    ),
  )

test('Z36 a changed access file applies to the next request', async () => {
  await set('')
  expect((await read('/a/b', TOM)).status).toBe(200)
  await set('[/a/b]\ntom =')
  expect((await read('/a/b', TOM)).status).toBe(404)
  expect((await read('/a/b', UMA)).status).toBe(200)
  await set('')
  expect((await read('/a/b', TOM)).status).toBe(200)
})

test('a viewer with access to one folder sees that folder, and only its part of a revision', async () => {
  await set('[/]\n* =\n@members =\n[/a/b]\ntom = r')
  expect(await statuses('/', TOM)).toEqual([404, 404, 404, 404, 404])
  expect(await statuses('/a', TOM)).toEqual([404, 404, 404, 404, 404])
  expect(await statuses('/a/b', TOM)).toEqual([200, 404, 200, 200, 404])
  expect(await statuses('/a/b/c', TOM)).toEqual([404, 200, 200, 200, 200])
  const { json } = await api.get(`${svn}/revisions`, { as: TOM })
  expect(json).toMatchObject([{ revision: 1, author_name: 'mara', message: null, paths_hidden: true }])
  expect((await api.get(`${svn}/revisions?text=all`, { as: TOM })).json).toEqual([])
  expect((await api.get(`${svn}/revisions?author=mara`, { as: TOM })).json).toEqual(json)
  expect(json[0].paths.map(({ path }: { path: string }) => path)).toEqual(['/a/b', '/a/b/Key', '/a/b/c'])
})

test('a viewer without read access sees only revision numbers', async () => {
  await set('[/]\n* =\n@members =')
  expect(await statuses('/', OLGA)).toEqual([404, 404, 404, 404, 404])
  const { json } = await api.get(`${svn}/revisions/1`, { as: OLGA })
  expect([json.revision, new Set(Object.values({ ...json, revision: null, uri: null }))]).toEqual([1, new Set([null])])
  expect((await api.get(`${svn}/revisions`, { as: OLGA })).json).toEqual([json])
})

test('Z38 an unreadable access file denies everything', async () => {
  await set('')
  expect((await read('/', MARA)).status).toBe(200)
  const file = join(folder, 'conf', 'authz')
  const { stdout } = await runTool('head', ['-1', file])
  await writeFile(file, `${stdout.toString()}[broken\n`)
  for (const path of PATHS) expect((await read(path, MARA)).status).toBe(404)
  await set('[/a]\ntom = rw')
  expect((await read('/', MARA)).status).toBe(200)
})
