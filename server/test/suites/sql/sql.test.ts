import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ignoreSnapshots } from '../../harness/ignore-snapshots.ts'
import { startWorld } from '../../harness/start-world.ts'
import { SQL_OPERATIONS } from './operations.ts'
import type { SqlOperation } from './sql-operation.ts'
import { longestTransaction, startRecorder } from './record-statements.ts'
import { renderSql } from './render-sql.ts'
import { buildStage, assertSucceeded, setScene } from './scene.ts'

const FOLDER = 'docs/sql'
/** A run that times out would go on while the next one is recorded. */
const TIMEOUT_MS = 120_000
const isWriting = process.env['WAYPOST_SQL'] === 'write'

const recorder = startRecorder()
afterAll(() => recorder.stop())
const world = await startWorld({ seedOnce: true })
ignoreSnapshots(world.context)
const stage = await buildStage(world)

test.each(SQL_OPERATIONS)(
  '$name equals its page of docs/sql; `npm run sql` writes it',
  async (operation) => {
    const page = renderSql(operation, await recordSecondRun(operation))
    const file = join(FOLDER, `${operation.name}.sql`)
    if (isWriting) await writeFile(file, page)
    expect(page).toBe(await readFile(file, 'utf8'))
  },
  TIMEOUT_MS,
)

test('docs/sql has a page for each operation, and no other', async () => {
  const pages = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql'))
  expect(pages.toSorted()).toEqual(SQL_OPERATIONS.map(({ name }) => `${name}.sql`).toSorted())
})

async function recordSecondRun({ prepare, isOneTransaction }: SqlOperation): Promise<readonly string[]> {
  assertSucceeded(await (await prepare(await setScene(stage)))())
  const run = await prepare(await setScene(stage))
  const sent = await recorder.record(async () => assertSucceeded(await run()))
  return (isOneTransaction ? longestTransaction(sent) : sent).map(({ text }) => text)
}
