import { expect, test } from 'vitest'
import { startWorld } from '../../harness/start-world.ts'
import { runQuestions } from './run-questions.ts'
import { prepareOracleProject, VIEWERS } from './prepare-project.ts'
import { makeWorld } from './world.ts'

// `npm run truth` runs more.
const QUERIES = 25
const { api: client, context, clock } = await startWorld({ seedOnce: true })

test('random searches by five viewers equal a check of every artifact', async () => {
  const place = await prepareOracleProject(client, context.db, (at) => clock.set(new Date(at)))
  const world = await makeWorld(place, { seed: '1', artifacts: 120 })
  const { faults, kinds } = await runQuestions(place.api, world, VIEWERS, { seed: '1', queries: QUERIES })
  expect(faults).toEqual([])
  expect([...kinds.values()].reduce((sum, { asked }) => sum + asked, 0)).toBe(QUERIES)
})
