import { createRepository } from '../../repositories/create-repository.ts'
import { runTool } from '../../repositories/disk/run-tool.ts'
import { type DumpedRevision, dumpOf } from '../../repositories/disk/svn-dump.ts'
import { getSvnFolders, repositoryFolder } from '../../repositories/disk/svn-folders.ts'
import { recordRevisionsJob } from '../../repositories/revisions/record-missed-revisions.ts'
import { DOUBLE_CHARGE } from './demo-bugs.ts'
import { momentOf } from './demo-calendar.ts'
import type { DemoScene } from './demo-scene.ts'

const captures = (key: string, more = '') => `import { sendCapture } from './bank.ts'
import { findCapture, storeCapture } from './store.ts'

/** Captures a payment; a repeated call returns the first capture. */
export async function capture(payment: Payment): Promise<Capture> {
  const key = ${key}
  const found = await findCapture(key)
  if (found) return found
${more}  const made = await sendCapture(payment, key)
  await storeCapture(key, made)
  return made
}
`

const README =
  '# Checkout\n\nTakes payments for the shops, asks the banks, and writes the ledger.\n\n    npm ci\n    npm test\n'
const BANK = 'export const BANK_TIMEOUT_MS = 30_000\n'
const TEST =
  "test('a reload of the confirmation page captures once', async () => {\n  await reload(confirmation)\n  expect(captures).toHaveLength(1)\n})\n"

/** Creates the repository of the team, with commits that name artifacts. */
export async function loadDemoRepository(scene: DemoScene, project: { id: number; shortname: string }): Promise<void> {
  const { context } = scene
  if (context.config.WAYPOST_SVN_ROOT === null) return
  const name = 'checkout'
  scene.moveTo(momentOf(scene.now, 21, 0, 1))
  await scene.call('mara', createRepository, { body: { project_id: project.id, name } })
  const folder = repositoryFolder(getSvnFolders(context.config), { shortname: project.shortname, name })
  await runTool('svnadmin', ['load', '--quiet', '--no-flush-to-disk', '--ignore-uuid', folder], {
    input: dumpOf(revisions(scene)),
  })
  scene.moveTo(scene.now)
  await recordRevisionsJob.run(context, {}, { id: 0, request_id: null, created_on: scene.now })
}

function revisions(scene: DemoScene): DumpedRevision[] {
  const xref = (title: string) => scene.artifacts.get(title)?.xref ?? title
  const made = (day: number, author: string, message: string, nodes: DumpedRevision['nodes']): DumpedRevision => ({
    author,
    message,
    date: momentOf(scene.now, day, 3, 5),
    nodes,
  })
  const add = (path: string, content: string) => ({ path, nodeAction: 'add' as const, content })
  const edit = (path: string, content: string) => ({ path, nodeAction: 'change' as const, content })
  const folder = (path: string) => ({ path, nodeAction: 'add' as const })
  return [
    made(20, 'mara', 'Layout.', ['trunk', 'trunk/src', 'trunk/test', 'branches', 'tags'].map(folder)),
    made(19, 'tom', 'Captures with an idempotency key for each request.', [
      add('trunk/README.md', README),
      add('trunk/src/capture.ts', captures('request.id')),
      add('trunk/src/bank.ts', 'export const BANK_TIMEOUT_MS = 120_000\n'),
      add('trunk/src/store.ts', 'export const CAPTURES = new Map<string, Capture>()\n'),
    ]),
    made(12, 'priya', `Release 4.1.1.`, [
      { path: 'tags/4.1.1', kind: 'dir', nodeAction: 'add', copiedFrom: { path: 'trunk', revision: 2 } },
    ]),
    made(
      5,
      'tom',
      `Make the key from payment and attempt, see ${xref(DOUBLE_CHARGE)}.\n\nOld keys are still found for a week.`,
      [
        edit(
          'trunk/src/capture.ts',
          captures('`${payment.id}:${payment.attempt}`', '  await rememberAttempt(payment)\n'),
        ),
      ],
    ),
    made(
      1,
      'priya',
      `Give a bank 30 seconds, see ${xref('Settlement job stops at the first bank that does not answer')}.`,
      [edit('trunk/src/bank.ts', BANK)],
    ),
    made(1, 'samuel', `Reload the confirmation page in CI, see ${xref(DOUBLE_CHARGE)}.`, [
      add('trunk/test/reload.test.ts', TEST),
    ]),
  ]
}
