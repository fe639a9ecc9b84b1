import { describe, expect, test } from 'vitest'
import { loadRevisions, makeBrowsed, REVISIONS, startBrowsedWorld } from '../../../test/fixtures/browsed-repository.ts'
import { MARA, TOM } from '../../../test/fixtures/people.ts'
import { dumpOf } from '../disk/svn-dump.ts'
import { runTool } from '../disk/run-tool.ts'
import { parseDiff } from './engine/parse-diff.ts'
import type { DiffedFile } from './engine/read-diff.ts'

const world = await startBrowsedWorld()
const { api, svn } = world
const diff = (query: string, as = TOM) => api.get(`${svn}/diff?${query}`, { as })
const changes = async (query: string, as = TOM) =>
  (await diff(query, as)).json.files.map(({ op, path }: { op: string; path: string }) => `${op} ${path}`)

describe('GET /svn/{id}/diff', () => {
  test('shows the changes of a revision', async () => {
    const { status, json, headers } = await diff('rev=3&context=1')
    expect(status).toBe(200)
    expect(json).toEqual({
      from: 2,
      to: 3,
      files: [
        {
          path: '/trunk/a.ts',
          op: 'modified',
          copied_from: null,
          is_binary: false,
          hunks: [
            { old_start: 1, old_lines: 3, new_start: 1, new_lines: 3, lines: [' one', '-two', '+TWO', ' three'] },
          ],
          props: [],
          truncated: false,
        },
      ],
      truncated: false,
    })
    expect(headers['etag']).toMatch(/^"/)
    expect((await diff('')).headers['etag']).toBeUndefined()
  })

  test('Z35 omits unreadable paths', async () => {
    expect(await changes('rev=3', MARA)).toEqual(['added /secret/plan', 'modified /trunk/a.ts'])
    expect(await changes('from=0&to=4')).toEqual([
      'added /trunk/a.ts',
      'added /trunk/empty',
      'added /trunk/odd @2 %41 ü&#;.txt',
    ])
    expect(await changes('from=3&to=4')).toEqual([])
    for (const query of ['path=/secret&rev=3', 'path=/nothing&rev=3', 'path=/secret/plan&rev=4', 'rev=9', 'from=9'])
      expect([query, (await diff(query)).status]).toEqual([query, 404])
  })

  test('compares any two revisions of a path, also backwards', async () => {
    expect(await changes('path=/trunk/a.ts&from=2&to=5')).toEqual(['modified /trunk/a.ts'])
    expect(await changes('path=/trunk/a.ts&from=5&to=6')).toEqual(['deleted /trunk/a.ts'])
    expect(await changes('path=/trunk&from=6&to=5')).toEqual(['added /trunk/a.ts', 'deleted /trunk/b.ts'])
    expect(await changes('from=5&to=5')).toEqual([])
    const odd = encodeURIComponent('/trunk/odd @2 %41 ü&#;.txt')
    const { json } = await diff(`path=${odd}&from=1&to=2`)
    expect(json.files[0]).toMatchObject({ op: 'added', hunks: [{ lines: ['+odd\r', '+name\r'] }] })
  })

  test('names the copy source, unless it is unreadable', async () => {
    const { json } = await diff('rev=6')
    expect(json.files.map(({ copied_from }: { copied_from: unknown }) => copied_from)).toEqual([
      null,
      { path: '/trunk/a.ts', revision: 5 },
    ])
    const branch = (await diff('rev=5')).json.files
    expect(branch[0]).toMatchObject({ path: '/branches/b1/a.ts', copied_from: { path: '/trunk/a.ts', revision: 4 } })
    expect((await diff('rev=8')).json.files[0]).toMatchObject({ path: '/trunk/light', copied_from: null })
  })

  test('shows no lines of binary files, and shows changed properties', async () => {
    const { json } = await diff('rev=7')
    const by = Object.fromEntries(json.files.map((file: { path: string }) => [file.path, file]))
    expect(by['/trunk/pic.png']).toMatchObject({
      op: 'added',
      is_binary: true,
      hunks: [],
      props: [{ name: 'svn:mime-type', op: 'added' }],
    })
    expect(by['/trunk/raw']).toMatchObject({ is_binary: true, hunks: [] })
    expect(by['/trunk/lib']).toMatchObject({
      op: 'modified',
      hunks: [],
      props: [{ name: 'svn:ignore', lines: ['+*.o'] }],
    })
    expect(by['/trunk/page.html']).toMatchObject({ op: 'added', is_binary: false })
  })

  test.each(['context=-1', 'context=x', 'from=x', 'to=-1', 'path=x'])('refuses %s', async (query) => {
    expect((await diff(query)).status).toBe(400)
  })
})

/** Every variant of line ends and encodings, and a file that becomes a directory. */
const ODD_REVISIONS = [
  {
    author: 'mara',
    message: 'Odd.',
    date: new Date('2026-03-01T09:30:00Z'),
    nodes: [
      { path: 'd', nodeAction: 'add' as const },
      { path: 'd/sub', nodeAction: 'add' as const, props: { 'svn:ignore': '*.o\n' } },
      { path: 'd/sub/bare', nodeAction: 'add' as const },
      { path: 'd/deep', nodeAction: 'add' as const },
      { path: 'd/deep/dark', nodeAction: 'add' as const, content: 'dark\n' },
      { path: 'd/deep/light', nodeAction: 'add' as const, content: 'light\n' },
      ...Object.entries({
        blank: '\n\n',
        'carriage-return': 'one\rtwo',
        'carriage-return-at-the-end': 'one\r',
        'crlf @1 %41': 'one\r\ntwo\r\n',
        empty: '',
        'like-a-heading': 'Index: other\n--- x\n@@ -1 +1 @@\n',
        open: 'one\ntwo',
        zero: 'a\0b',
      }).map(([name, content]) => ({ path: `d/${name}`, nodeAction: 'add' as const, content })),
      { path: 'd/kind', nodeAction: 'add' as const, content: 'a file\n', props: { p: 'open', q: 'one\ntwo\n', r: '' } },
      { path: 'd/picture', nodeAction: 'add' as const, content: 'text\n', props: { 'svn:mime-type': 'image/png' } },
    ],
  },
  {
    author: 'mara',
    message: 'Odder.',
    date: new Date('2026-03-02T09:30:00Z'),
    nodes: [
      { path: 'd/kind', nodeAction: 'delete' as const },
      { path: 'd/kind', nodeAction: 'add' as const },
      { path: 'd/kind/inner', nodeAction: 'add' as const, content: 'inner\n' },
      { path: 'd/open', nodeAction: 'change' as const, content: 'one\nTWO', props: { p: 'one\nthree' } },
      { path: 'd/deep', nodeAction: 'delete' as const },
    ],
  },
]

const CONSECUTIVE = REVISIONS.map((_, at) => [at, at + 1] as const)

describe('GET /svn/{id}/diff, compared with the real client,', async () => {
  const { id, folder } = await makeBrowsed(world, 'odd')
  await loadRevisions(folder, dumpOf(ODD_REVISIONS))
  const odd = async (query: string, as = MARA) => api.get(`/svn/${id}/diff?${query}`, { as })
  /** The output of the client without access control. It prints nothing for a deleted empty file. */
  const printed = async (repository: string, path: string, from: number, to: number) => {
    const sides = [`--old=file://${repository}${path}@${from}`, `--new=file://${repository}${path}@${to}`]
    const { stdout } = await runTool('svn', ['diff', '--internal-diff', ...sides])
    return parseDiff(stdout, false)
      .map(({ hunks, is_binary, props, ...file }) => ({
        path: `${path}/${file.path}`,
        is_binary,
        hunks: is_binary ? [] : hunks,
        props: props.toSorted((one, other) => (one.name < other.name ? -1 : 1)),
      }))
      .filter(({ path: each }) => !each.endsWith('/empty'))
      .toSorted((one, other) => (one.path < other.path ? -1 : 1))
  }
  const shown = async (address: string) => {
    const { json } = await api.get(address, { as: MARA })
    return json.files
      .filter(({ path }: DiffedFile) => !path.endsWith('/empty'))
      .map(({ path, is_binary, hunks, props }: DiffedFile) => ({ path, is_binary, hunks, props }))
  }

  test('shows the same output for any two revisions', async () => {
    for (const [from, to] of [...CONSECUTIVE, [0, 8], [8, 0], [2, 7], [7, 3]] as const)
      expect(await shown(`${svn}/diff?from=${from}&to=${to}`), `${from}:${to}`).toEqual(
        await printed(world.folder, '', from, to),
      )
    for (const [from, to] of [[0, 1], [1, 0], [1, 2], [2, 1], [0, 2], [2, 0]] as const) // biome-ignore format: one number a line would hide the pairs
      for (const path of ['', '/d'])
        expect(await shown(`/svn/${id}/diff?path=${path}&from=${from}&to=${to}`), `${path} ${from}:${to}`).toEqual(
          await printed(folder, path, from, to),
        )
  })

  test('Z35 shows it also if no directory above the path is readable', async () => {
    const { status } = await api.put(`/svn/${id}`, {
      as: MARA,
      body: {
        settings: {
          commit_rules: { is_reference_mandatory: false, is_commit_message_change_allowed: false },
          immutable_tags: { paths: [], whitelist: [] },
          access_file:
            '[/]\n* =\n@members =\nmara = rw\n[/d/sub]\ntom = r\n[/d/open]\ntom = r\n[/d/deep]\ntom = r\n[/d/deep/dark]\n* =',
          email_notifications: [],
        },
      },
    })
    expect(status).toBe(200)
    const gone = async (path: string) =>
      (await odd(`path=${path}&from=1&to=2`, TOM)).json.files.map(({ op, path: each }: DiffedFile) => `${op} ${each}`)
    for (const path of ['/d/open', '/d/sub'])
      for (const sides of ['from=0&to=2', 'from=2&to=0', 'from=1&to=2']) {
        const query = `path=${path}&${sides}`
        expect([query, (await odd(query, TOM)).json]).toEqual([query, (await odd(query)).json])
      }
    expect((await odd('path=/d/open&from=1&to=2', TOM)).json.files[0].hunks[0].lines).toContain('-two')
    expect(await gone('/d/deep')).toEqual(['deleted /d/deep/light'])
    for (const path of ['/d', '/d/nothing', '/d/kind', '/d/sub/nothing'])
      expect([path, (await odd(`path=${path}&from=0&to=2`, TOM)).status]).toEqual([path, 404])
  })

  test('lists a file that became a directory once', async () => {
    for (const path of ['/d/kind', '/d'])
      expect(
        (await odd(`path=${path}&from=1&to=2`)).json.files
          .map(({ op, path: changed }: DiffedFile) => `${op} ${changed}`)
          .filter((line: string) => line.includes('kind')),
      ).toEqual(['replaced /d/kind', 'added /d/kind/inner'])
  })
})
