import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { table } from '../../../src/commands/print.ts'
import { withIsolatedEnvironment } from '../../harness/isolated-environment.ts'
import { killProcesses } from './feed-kills.ts'

// Makes changes while all servers and readers of the feed are killed at random, and compares the results: `npm run
// feed:kills -- --changes 20000 [--writers 20] [--seed 1]`.
const { values } = parseArgs({
  options: {
    changes: { type: 'string', default: '20000' },
    writers: { type: 'string', default: '20' },
    seed: { type: 'string' },
  },
})

const seed = values.seed ?? String(randomInt(1, 2 ** 30))
process.stdout.write(`${values.changes} changes by ${values.writers} writers, seed ${seed}\n`)
const figures = await withIsolatedEnvironment({ name: 'kills', servers: 0 }, async ({ db, appUrl, createDatabase }) =>
  killProcesses({
    db,
    appUrl,
    effectsUrl: await createDatabase('effects'),
    changes: Number(values.changes),
    writers: Number(values.writers),
    pauses: 3000,
    seed,
  }),
)
const { changes, kills, seconds, events, effects, delivered, deliveredAgain, mailed } = figures
process.stdout.write(
  `${table([
    ['what', 'number'],
    ['changes', String(changes)],
    ['kills of servers', String(kills.api)],
    ['kills of the worker', String(kills.worker)],
    ['kills of consumers', String(kills.consumer)],
    ['events', String(events)],
    ...Object.entries(effects).map(([consumer, count]) => [`effects of the consumer of ${consumer}`, String(count)]),
    ['events that webhooks brought', String(delivered)],
    ['of these more than once', String(deliveredAgain)],
    ['mails, none twice', String(mailed)],
    ['seconds', String(seconds)],
  ])}\n`,
)
