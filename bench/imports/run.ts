import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { print } from '../../server/src/commands/print.ts'
import { openDatabase } from '../../server/src/platform/database/db.ts'
import { APP_ROLE, createRolesAndDatabase, startPostgres } from '../../server/src/platform/database/local-postgres.ts'
import { migrate } from '../../server/src/platform/database/migrate.ts'
import { EVERY_FIELD, type MadeTracker, makeTestTracker } from '../../server/test/fixtures/every-field.ts'
import { beginTestImport, finishTestImport, importLines } from '../../server/test/fixtures/imports.ts'
import { seed } from '../../server/test/fixtures/seed.ts'
import type { TestClient } from '../../server/test/harness/client.ts'
import { startServerProcess } from '../../server/test/harness/server-process.ts'
import { compareHistories } from '../../server/test/suites/imports/compare-history.ts'
import { generateHistories, toLine } from '../../server/test/suites/imports/generate-history.ts'

const LINES_PER_REQUEST = 10_000
const FIRST_ID = 50_000
const MAX_SECONDS = 60
/** The size to which the limit applies. */
const FULL_SIZE = 100_000

/**
 * `npm run bench:import` imports artifacts with 100,000 versions over HTTP into a durable PostgreSQL, prints the
 * seconds, reads everything back and counts the differences. `-- --versions 2000 --seed 7` for another size or data.
 */
const { values } = parseArgs({
  options: {
    versions: { type: 'string', default: String(FULL_SIZE) },
    seed: { type: 'string', default: '1' },
  },
})
const versions = Number(values.versions)

const home = await mkdtemp(join(tmpdir(), 'waypost-import-'))
await chmod(home, 0o711) // PostgreSQL may run as another user, who needs to traverse it.
const postgres = await startPostgres({ data: join(home, 'data'), socket: join(home, 'socket'), durable: true })
try {
  const { ownerUrl, appUrl } = await createRolesAndDatabase({ host: postgres.host, database: 'imports' })
  await migrate({ url: ownerUrl, appRole: APP_ROLE })
  const owner = openDatabase({ connectionString: ownerUrl })
  await seed(owner)
  await owner.destroy()
  const server = await startServerProcess({ WAYPOST_DATABASE_URL: appUrl, WAYPOST_LOG_LEVEL: 'error' })
  try {
    process.exitCode = (await measure(server.api)) ? 0 : 1
  } finally {
    await server.stop()
  }
} finally {
  await postgres.stop()
  await rm(home, { recursive: true, force: true })
}

async function measure(api: TestClient): Promise<boolean> {
  const tracker = await makeTestTracker(api, EVERY_FIELD)
  const id = await beginTestImport(api)
  const { artifacts, seconds } = await importAll(api, id, tracker)
  await finishTestImport(api, id)
  print(`imported: ${artifacts} artifacts with ${versions} versions in ${seconds.toFixed(1)} s`)
  const read = await compareHistories(api, generateHistories(values.seed, versions, FIRST_ID), 'old.example')
  for (const each of read.shown) print(`differs: ${each}`)
  print(`read back: ${read.versions} versions, ${read.count} differences`)
  const isInTime = versions < FULL_SIZE || seconds < MAX_SECONDS
  if (!isInTime) print(`not reached: ${MAX_SECONDS} s`)
  return isInTime && read.count === 0 && read.versions === versions
}

/** Sends the lines in requests of the maximum size, one after the other. Generating them does not count. */
async function importAll(api: TestClient, id: number, tracker: MadeTracker) {
  let [artifacts, milliseconds] = [0, 0]
  let lines: object[] = []
  const send = async () => {
    const began = performance.now()
    const { status, text, done } = await importLines(api, id, lines)
    milliseconds += performance.now() - began
    if (done?.succeeded !== lines.length)
      throw new Error(`Import: ${status} ${text.slice(0, 1000)} … ${text.slice(-300)}`)
    artifacts += lines.length
    lines = []
  }
  for (const each of generateHistories(values.seed, versions, FIRST_ID)) {
    lines.push(toLine(each, tracker))
    if (lines.length === LINES_PER_REQUEST) await send()
  }
  if (lines.length > 0) await send()
  return { artifacts, seconds: milliseconds / 1000 }
}
