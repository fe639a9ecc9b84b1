import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { createSignIn } from '../../../src/accounts/sign-in/sign-in.ts'
import { table } from '../../../src/commands/print.ts'
import { createContext } from '../../../src/context.ts'
import { WEB_PAGES } from '../../../src/pages.ts'
import { openDatabase } from '../../../src/platform/database/db.ts'
import { APP_ROLE, createRolesAndDatabase, startPostgres } from '../../../src/platform/database/local-postgres.ts'
import { migrate } from '../../../src/platform/database/migrate.ts'
import { createServer } from '../../../src/platform/http/http.ts'
import { readConfig } from '../../../src/platform/operation/config.ts'
import { ROUTES } from '../../../src/routes.ts'
import { createTestClient } from '../../harness/client.ts'
import { seed as seedPeople } from '../../fixtures/seed.ts'
import { type QuestionFault, runQuestions } from './run-questions.ts'
import { prepareOracleProject, VIEWERS } from './prepare-project.ts'
import { makeWorld } from './world.ts'
import { closePools } from '../../../src/platform/database/pools.ts'

// Runs random queries on random artifacts, and compares each result with that of an oracle which checks every artifact:
// `npm run truth -- --queries 10000 --artifacts 2000 --seed 1 [--from 0] [--faults 10] [--only plain|criteria|tql]`.
// `--from` replays from the number of a question.
const { values } = parseArgs({
  options: {
    queries: { type: 'string', default: '10000' },
    artifacts: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
    faults: { type: 'string', default: '10' },
    only: { type: 'string', multiple: true },
  },
})
const print = (text: string) => process.stdout.write(`${text}\n`)
const seconds = (since: number) => `${Math.round((Date.now() - since) / 1000)} s`
const ends: (() => Promise<unknown>)[] = []
let isStopped = false
const stop = async () => {
  isStopped = true
  for (const end of ends.splice(0).toReversed()) await end()
}
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void stop().finally(() => process.exit(130)))

try {
  const began = Date.now()
  const { seed } = values
  const { place, db } = await start()
  const world = await makeWorld(place, { seed, artifacts: Number(values.artifacts) })
  // Autovacuum would do this a minute later.
  await sql`analyze`.execute(db)
  const versions = world.artifacts.reduce((sum, artifact) => sum + artifact.versions.length, 0)
  print(`${world.artifacts.length} artifacts in ${versions} versions made in ${seconds(began)}, seed ${seed}`)
  const asking = Date.now()
  const run = {
    seed,
    queries: Number(values.queries),
    from: Number(values.from),
    mostFaults: Number(values.faults),
    ...(values.only && { only: values.only }),
    tell: (fault: QuestionFault) => print(describe(fault)),
  }
  const { kinds, slowest } = await runQuestions(place.api, world, VIEWERS, run)
  const rows = [...kinds].toSorted(([one], [other]) => one.localeCompare(other))
  const sum = (member: 'asked' | 'empty' | 'wrong') => rows.reduce((total, [, row]) => total + row[member], 0)
  const cells = rows.map(([kind, { asked, empty, wrong }]) => [kind, String(asked), String(empty), String(wrong)])
  const total = ['all', String(sum('asked')), String(sum('empty')), String(sum('wrong'))]
  print(table([['kind of query', 'asked', 'nothing found', 'wrong'], ...cells, total]))
  print(`${sum('asked')} questions in ${seconds(asking)}, seed ${seed}`)
  for (const { number, milliseconds, request } of slowest)
    print(`question ${number} took ${milliseconds} ms: ${request}`)
  if (sum('wrong') > 0) process.exitCode = 1
} catch (error) {
  // After an interrupt the pending request fails too.
  if (!isStopped) throw error
} finally {
  await stop()
}

/** A server in this process with a test clock, on its own cluster. */
async function start() {
  const directory = await mkdtemp(join(tmpdir(), 'waypost-truth-'))
  ends.push(() => rm(directory, { recursive: true, force: true }))
  await chmod(directory, 0o711) // PostgreSQL may run as another user, who has to enter it.
  const cluster = await startPostgres({
    data: join(directory, 'data'),
    socket: join(directory, 'socket'),
    durable: false,
  })
  ends.push(() => cluster.stop())
  const { ownerUrl, appUrl } = await createRolesAndDatabase({ host: cluster.host, database: 'truth' })
  await migrate({ url: ownerUrl, appRole: APP_ROLE })
  const db = openDatabase({ connectionString: ownerUrl, max: 2 })
  ends.push(() => db.destroy())
  await seedPeople(db)
  let now = Date.now()
  const config = readConfig({
    WAYPOST_ENVIRONMENT: 'test',
    WAYPOST_SECRET_KEYS: 'a-secret-key-of-the-tests-that-is-long-enough',
    WAYPOST_PUBLIC_URL: 'https://waypost.example',
    WAYPOST_LOG_LEVEL: 'error',
    WAYPOST_DATABASE_URL: appUrl,
    WAYPOST_FILES: join(directory, 'files'),
  })
  const context = await createContext(config, { now: () => new Date(now) })
  ends.push(() => closePools(context.pools))
  const server = createServer(context, createSignIn(context), ROUTES, WEB_PAGES)
  ends.push(() => server.close())
  const client = createTestClient(await server.listen({ port: 0, host: '127.0.0.1' }))
  const place = await prepareOracleProject(client, db, (at) => {
    now = at
  })
  return { place, db }
}

function describe({ number, viewer, tracker, request, fault, asked }: QuestionFault): string {
  return [
    `question ${number} (--seed ${values.seed} --artifacts ${values.artifacts} --from ${number} --queries 1)`,
    `  ${viewer} asks ${tracker}: ${request}`,
    `  ${fault}`,
    ...(asked === request ? [] : [`  it was: ${asked}`]),
  ].join('\n')
}
