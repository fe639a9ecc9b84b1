import { loadRevisions, makeBrowsed } from '../../server/test/fixtures/browsed-repository.ts'
import type { startWorld } from '../../server/test/harness/start-world.ts'
import { MARA, TOM } from '../../server/test/fixtures/people.ts'
import { LEADS } from '../../server/test/fixtures/seed-ids.ts'
import { type DumpedRevision, dumpOf } from '../../server/src/repositories/disk/svn-dump.ts'

/** A name with characters that are special in URLs. */
export const ODD_NAME = 'odd @2 %41 ü&#?.txt'

const day = (of: number) => new Date(Date.UTC(2026, 8, of, 9, 30))
const pump = (limit: string, more = '') => `import { readPressure } from './sensors.ts'

/** The pump stops above this pressure, in bar. */
const LIMIT = ${limit}

export function mayRun(gate: string): boolean {
  const pressure = readPressure(gate)
  if (pressure > LIMIT) return false
${more}  return gate !== 'closed' // The north gate says so while it is painted, which is why nobody believes the display any more.
}
`

const REVISIONS: readonly DumpedRevision[] = [
  {
    author: 'mara',
    message: 'Layout.',
    date: day(1),
    nodes: ['trunk', 'trunk/src', 'branches', 'tags'].map((path) => ({ path, nodeAction: 'add' })),
  },
  {
    author: 'tom',
    message:
      'Let the pump stop when the pressure is too high, see art #7.\n\nThe limit is a guess until we have measured it.',
    date: day(3),
    nodes: [
      { path: 'trunk/README.md', nodeAction: 'add', content: '# Garden\n\nWhat opens and closes the gates.\n' },
      { path: 'trunk/src/pump.ts', nodeAction: 'add', content: pump('6'), props: { 'svn:eol-style': 'native' } },
      { path: 'trunk/src/sensors.ts', nodeAction: 'add', content: 'export const readPressure = () => 0\n' },
      { path: `trunk/${ODD_NAME}`, nodeAction: 'add', content: 'odd\n' },
    ],
  },
  {
    author: 'uma',
    message: 'Measured: four bar. Gates that are locked stay closed.',
    date: day(9),
    nodes: [
      {
        path: 'trunk/src/pump.ts',
        nodeAction: 'change',
        content: pump('4', "  if (gate === 'locked') return false\n"),
        props: { 'svn:eol-style': 'native' },
      },
      { path: 'trunk/logo.png', nodeAction: 'add', content: 'PNG\0\0', props: { 'svn:mime-type': 'image/png' } },
    ],
  },
  {
    author: 'mara',
    message: 'First harvest.',
    date: day(12),
    nodes: [{ path: 'tags/1.0', kind: 'dir', nodeAction: 'add', copiedFrom: { path: 'trunk', revision: 3 } }],
  },
]

/** Creates a small repository of Orchard with settings. */
export async function makeGarden(world: Awaited<ReturnType<typeof startWorld>>): Promise<number> {
  const { id, folder } = await makeBrowsed(world, 'garden', '[/trunk/secret]\n* =\n@leads = rw')
  await loadRevisions(folder, dumpOf(REVISIONS))
  const settings = {
    commit_rules: { is_reference_mandatory: false, is_commit_message_change_allowed: false },
    immutable_tags: { paths: ['/tags'], whitelist: [] },
    access_file: '[/trunk/secret]\n* =\n@leads = rw\n\n[/tags]\n@members = rw',
    email_notifications: [
      { path: '/trunk', emails: ['builds@waypost.example'], users: [TOM.id], user_groups: [String(LEADS)] },
    ],
    has_default_permissions: true,
  }
  const put = await world.api.put(`/svn/${id}`, { as: MARA, body: { settings } })
  if (put.status !== 200) throw new Error(put.text)
  return id
}
