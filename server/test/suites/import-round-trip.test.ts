import { expect, test } from 'vitest'
import { EVERY_FIELD, makeTestTracker } from '../fixtures/every-field.ts'
import { beginTestImport, finishTestImport, importLines } from '../fixtures/imports.ts'
import { auditArtifacts } from '../harness/auditor.ts'
import { startWorld } from '../harness/start-world.ts'
import { compareHistories } from './imports/compare-history.ts'
import { generateHistories, toLine } from './imports/generate-history.ts'

// The small version of `npm run bench:import`: everything that is read back equals what was sent.
const VERSIONS = 400
const { api, context } = await startWorld()

test.each(['first', 'second'])(
  'generated histories are read back as they were sent, with the seed %s',
  async (seed) => {
    const tracker = await makeTestTracker(api, EVERY_FIELD)
    const histories = () => generateHistories(seed, VERSIONS, 50_000)
    const id = await beginTestImport(api)
    const lines = [...histories()].map((each) => toLine(each, tracker))
    const { lines: results, done } = await importLines(api, id, lines)
    expect(results.filter(({ status }) => status !== 201).slice(0, 3)).toEqual([])
    expect(done).toMatchObject({ succeeded: lines.length, failed: 0 })
    await finishTestImport(api, id)
    const { versions, shown } = await compareHistories(api, histories(), 'old.example')
    expect(shown).toEqual([])
    expect(versions).toBe(VERSIONS)
    expect(await auditArtifacts(context, context.db)).toEqual([])
  },
)
