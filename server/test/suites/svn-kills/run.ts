import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { table } from '../../../src/commands/print.ts'
import { withIsolatedEnvironment } from '../../harness/isolated-environment.ts'
import { killSubversion } from './svn-kills.ts'

// `npm run svn:kills -- --commits 60 --clients 4 --server-kills 5 --apache-kills 2 [--seed 1]`; see README.md.
const { values } = parseArgs({
  options: {
    commits: { type: 'string', default: '60' },
    clients: { type: 'string', default: '4' },
    'server-kills': { type: 'string', default: '5' },
    'apache-kills': { type: 'string', default: '2' },
    seed: { type: 'string' },
  },
})

const seed = values.seed ?? String(randomInt(1, 2 ** 30))
process.stdout.write(`${values.commits} commits by ${values.clients} clients, seed ${seed}\n`)
const figures = await withIsolatedEnvironment({ name: 'svnkills', servers: 0 }, ({ appUrl }) =>
  killSubversion({
    appUrl,
    commits: Number(values.commits),
    clients: Number(values.clients),
    serverKills: Number(values['server-kills']),
    apacheKills: Number(values['apache-kills']),
    seed,
  }),
)
const { commits, revisions, crashed, serverKills, apacheKills, hadFullDisk, refusals, seconds } = figures
process.stdout.write(
  `${table([
    ['what', 'number'],
    ['commits, each made once', String(commits)],
    ['revisions, each recorded and told once', String(revisions)],
    ['kills of the server at random', String(serverKills)],
    [`kills of the server at ${crashed.join(', ')}`, String(crashed.length)],
    ['kills of Apache', String(apacheKills)],
    ['full disks', hadFullDisk ? '1' : '0: nothing can be mounted here'],
    ...[...refusals].map(([text, count]) => [`refused: ${text}`, String(count)]),
    ['seconds', String(seconds)],
  ])}\n`,
)
