import { parseArgs } from 'node:util'
import { table } from '../../../src/commands/print.ts'
import { withIsolatedEnvironment } from '../../harness/isolated-environment.ts'
import { raceCreations, raceWithout, raceWithPrecondition, prepareRace } from './races.ts'

// Concurrent updates of one artifact and concurrent creations, on two server processes: `npm run races -- --rounds 500
// [--writers 10]`.
const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '500' }, writers: { type: 'string', default: '10' } },
})

const figures = await withIsolatedEnvironment(
  { name: 'races', servers: 2 },
  async ({ apis: [first, ...others], db }) => {
    if (!first) throw new Error('There is no server.')
    const [rounds, writers] = [Number(values.rounds), Number(values.writers)]
    const track = await prepareRace({ apis: [first, ...others], db, rounds, writers })
    return [
      await raceWithPrecondition(track, 'etag'),
      await raceWithPrecondition(track, 'last-modified'),
      await raceWithout(track),
      await raceCreations(track),
    ]
  },
)
const rows = figures.map(({ race, rounds, requests, statuses, retries, milliseconds }) => [
  race,
  String(rounds),
  String(requests),
  JSON.stringify(statuses),
  String(retries),
  `${Math.round(milliseconds / 1000)} s`,
])
process.stdout.write(`${table([['race', 'rounds', 'requests', 'statuses', 'asked again', 'time'], ...rows])}\n`)
