import { placesOf, repositoryIn } from '../src/repositories/disk/places.ts'
import { runTool } from '../src/repositories/disk/run-tool.ts'
import type { Client } from './client.ts'
import { startWorld } from './harness.ts'
import { MARA } from './people.ts'
import { ORCHARD } from './places.ts'
import { type DumpedRevision, dumpOf } from './svn-dump.ts'

/** Tom may not see `/secret`, and of `/trunk` no key. */
export const ACCESS_FILE = '[/secret]\n* =\nmara = rw\n[:glob:/**/*.key]\n* =\nmara = rw'

const day = (of: number) => new Date(Date.UTC(2026, 2, of, 9, 30))
const LINES = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']
const text = (changes: Readonly<Record<number, string>> = {}) =>
  LINES.map((line, at) => `${changes[at] ?? line}\n`).join('')

/** A few revisions with everything in them that is hard to show. */
export const REVISIONS: readonly DumpedRevision[] = [
  {
    author: 'mara',
    message: 'Layout.',
    date: day(1),
    nodes: ['trunk', 'trunk/lib', 'branches', 'secret'].map((path) => ({ path, action: 'add' })),
  },
  {
    author: 'tom',
    message: 'First files, see art #7.',
    date: day(2),
    nodes: [
      { path: 'trunk/a.ts', action: 'add', content: text(), props: { 'svn:eol-style': 'native', note: 'für alle' } },
      { path: 'trunk/odd @2 %41 ü&#;.txt', action: 'add', content: 'odd\r\nname\r\n' },
      { path: 'trunk/empty', action: 'add', content: '' },
      { path: 'trunk/site.key', action: 'add', content: 'hidden key\n' },
    ],
  },
  {
    author: 'mara',
    message: 'Both a hidden word and a shown file.',
    date: day(3),
    nodes: [
      { path: 'trunk/a.ts', action: 'change', content: text({ 1: 'TWO' }) },
      { path: 'secret/plan', action: 'add', content: 'hidden plan\n' },
    ],
  },
  {
    author: 'mara',
    message: 'Only hidden.',
    date: day(4),
    nodes: [{ path: 'secret/plan', action: 'change', content: 'hidden plan 2\n' }],
  },
  {
    author: 'stranger',
    message: 'A branch.',
    date: day(5),
    nodes: [{ path: 'branches/b1', kind: 'dir', action: 'add', copiedFrom: { path: 'trunk', revision: 4 } }],
  },
  {
    author: 'tom',
    message: 'Renamed.',
    date: day(6),
    nodes: [
      {
        path: 'trunk/b.ts',
        action: 'add',
        copiedFrom: { path: 'trunk/a.ts', revision: 5 },
        content: text({ 1: 'TWO', 8: 'NINE' }),
      },
      { path: 'trunk/a.ts', action: 'delete' },
    ],
  },
  {
    author: 'tom',
    message: null,
    date: day(7),
    nodes: [
      {
        path: 'trunk/pic.png',
        action: 'add',
        content: 'PNG\0\0<script>',
        props: { 'svn:mime-type': 'image/png' },
      },
      { path: 'trunk/raw', action: 'add', content: 'a\0b\n' },
      { path: 'trunk/page.html', action: 'add', content: '<html><script>alert(1)</script></html>' },
      { path: 'trunk/lib', kind: 'dir', action: 'change', props: { 'svn:ignore': '*.o\n' } },
    ],
  },
  {
    author: 'tom',
    message: 'Out of the dark.',
    date: day(8),
    nodes: [{ path: 'trunk/light', kind: 'file', action: 'add', copiedFrom: { path: 'secret/plan', revision: 4 } }],
  },
]

/** A world with a repository of these revisions, and its address. */
export async function startBrowsedWorld(revisions: readonly DumpedRevision[] = REVISIONS, access_file = ACCESS_FILE) {
  const world = await startWorld({ seedOnce: true })
  const { id, folder } = await makeBrowsed(world, 'garden', access_file)
  await loadRevisions(folder, dumpOf(revisions))
  return { ...world, id, folder, svn: `/svn/${id}` }
}

export async function makeBrowsed(
  { api, context }: { api: Client; context: Awaited<ReturnType<typeof startWorld>>['context'] },
  name: string,
  access_file = '',
): Promise<{ id: number; folder: string }> {
  const body = { project_id: ORCHARD, name, settings: { access_file } }
  const { json, status, text: said } = await api.post('/svn', { as: MARA, body })
  if (status !== 201) throw new Error(said)
  return { id: json.id, folder: repositoryIn(placesOf(context.config), { shortname: 'orchard', name }) }
}

export async function loadRevisions(folder: string, dump: string): Promise<void> {
  const flags = ['--quiet', '--no-flush-to-disk', '--ignore-uuid']
  await runTool('svnadmin', ['load', ...flags, folder], { input: dump, timeLimit: 600_000 })
}
