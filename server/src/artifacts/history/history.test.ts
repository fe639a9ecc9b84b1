import { expect, test } from 'vitest'
import { auditArtifacts } from '../../../test/harness/auditor.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { runEdits } from '../../../test/suites/history/run-edits.ts'

const world = await startWorld()

// `npm run history` runs the same with more edits, on a server process.
const EDITS = 40
const SEED = 20_260_301

test('the current state of an artifact equals the replay of its history, whatever was written', {
  timeout: 240_000,
}, async () => {
  const { api, clock } = world
  const figures = await runEdits(
    { api, db: world.context.db, wait: (milliseconds) => clock.advance(milliseconds) },
    { edits: EDITS, seed: SEED },
  )

  expect(figures.edits).toBeGreaterThanOrEqual(EDITS)
  expect(figures.versions).toBeGreaterThan(EDITS / 2)
  expect(await auditArtifacts(world.context, world.context.db)).toEqual([])
})
