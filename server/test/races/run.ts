import { parseArgs } from 'node:util'
import { table } from '../../src/commands/print.ts'
import { withOwnWorld } from '../own-world.ts'
import { raceCreations, raceWithout, raceWithPrecondition, setTrack } from './races.ts'

// Writers race for one artifact, and to make new ones, before two server processes:
// `npm run races -- --rounds 500 [--writers 10]`.
const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '500' }, writers: { type: 'string', default: '10' } },
})

const figures = await withOwnWorld({ name: 'races', servers: 2 }, async ({ apis: [first, ...others], db }) => {
  if (!first) throw new Error('There is no server.')
  const [rounds, writers] = [Number(values.rounds), Number(values.writers)]
  const track = await setTrack({ apis: [first, ...others], db, rounds, writers })
  return [
    await raceWithPrecondition(track, 'etag'),
    await raceWithPrecondition(track, 'last-modified'),
    await raceWithout(track),
    await raceCreations(track),
  ]
})
const rows = figures.map(({ race, rounds, requests, statuses, unheard, milliseconds }) => [
  race,
  String(rounds),
  String(requests),
  JSON.stringify(statuses),
  String(unheard),
  `${Math.round(milliseconds / 1000)} s`,
])
process.stdout.write(`${table([['race', 'rounds', 'requests', 'statuses', 'asked again', 'time'], ...rows])}\n`)
