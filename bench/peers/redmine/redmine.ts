import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { print } from '../../../server/src/commands/print.ts'
import { type LocalPostgres, withAdministrator } from '../../../server/src/platform/database/local-postgres.ts'
import type { Redmine } from '../requests.ts'

const INSTALLED = '/usr/share/redmine'
const DATABASE = 'redmine'
const KEY = '5'.repeat(40)
const START_TIMEOUT_MS = 120_000

const run = promisify(execFile)

export interface RunningRedmine {
  readonly peer: Redmine
  readonly port: number
  readonly pid: number
  readonly version: string
  stop(): Promise<void>
}

/** A copy of Debian's Redmine on its own database, with as many issues as there are artifacts. */
export async function startRedmine(postgres: LocalPostgres, home: string, size: number): Promise<RunningRedmine> {
  if (!existsSync(INSTALLED)) throw new Error('Redmine is not there: bash bench/peers/redmine/install.sh')
  const place = join(home, 'redmine')
  const environment = {
    PATH: process.env['PATH'],
    RAILS_ENV: 'production',
    REDMINE_LANG: 'en',
    SECRET_KEY_BASE: 'a-secret-of-the-measurements-that-is-long-enough-'.repeat(2),
    RUBYOPT: '-W0',
  }
  // Reuse the result of an earlier run.
  const [made, note] = [join(place, 'made'), join(place, 'filled')]
  if (!existsSync(made)) {
    await copyTo(place, postgres)
    await withAdministrator({ host: postgres.host, database: 'postgres' }, async (administrator) => {
      await administrator.query(`drop database if exists ${DATABASE}`)
      await administrator.query(`create database ${DATABASE} template template0 encoding 'UTF8'`)
    })
    print('Redmine: making its tables')
    const rake = (task: string) => run('rake', [task], { cwd: place, env: environment, maxBuffer: 2 ** 26 })
    await rake('db:migrate')
    await rake('redmine:load_default_data')
    await writeFile(made, '')
  }
  if (!existsSync(note)) {
    print(`Redmine: making ${size} issues`)
    await fill(postgres, size)
    await writeFile(note, String(size))
  }
  if ((await readFile(note, 'utf8')) !== String(size)) throw new Error(`${place} has another size: remove it first.`)
  const [peer, server] = [await describe(postgres, size), await startPuma(place, environment)]
  const { stdout } = await run('dpkg-query', ['-W', '-f', '${Version}', 'redmine'])
  return { peer, version: stdout, ...server }
}

async function copyTo(place: string, { host }: LocalPostgres): Promise<void> {
  await rm(place, { recursive: true, force: true })
  await cp(INSTALLED, place, { recursive: true, verbatimSymlinks: true })
  for (const link of ['config/database.yml', 'Gemfile.lock', 'instances']) await rm(join(place, link), { force: true })
  // Debian's package supports several instances; this is the default one.
  const instance = join(place, 'instances/default')
  for (const folder of ['config', 'log', 'tmp/cache', 'files']) await mkdir(join(instance, folder), { recursive: true })
  for (const folder of ['log', 'tmp', 'files', 'plugins']) await mkdir(join(place, folder), { recursive: true })
  await writeFile(join(place, 'Gemfile.local'), "gem 'pg'\ngem 'puma'\n")
  await writeFile(
    join(instance, 'config/database.yml'),
    `production:\n  adapter: postgresql\n  database: ${DATABASE}\n  host: ${host}\n  username: postgres\n  pool: 10\n  encoding: utf8\n`,
  )
  // A log line per request would slow it down, and Waypost writes none either.
  await writeFile(join(place, 'config/additional_environment.rb'), 'config.log_level = :error\n')
}

async function fill({ host }: LocalPostgres, size: number): Promise<void> {
  const text = await readFile(new URL('fill.sql', import.meta.url), 'utf8')
  const statements = text.replaceAll(":'key'", `'${KEY}'`).replaceAll(':size', String(size))
  await withAdministrator({ host, database: DATABASE }, (administrator) => administrator.query(statements))
}

async function describe({ host }: LocalPostgres, size: number): Promise<Redmine> {
  const fields = await withAdministrator({ host, database: DATABASE }, (administrator) =>
    administrator.query<{ name: string; id: number }>('select name, id from custom_fields'),
  )
  return { name: 'redmine', key: KEY, size, fields: Object.fromEntries(fields.rows.map(({ name, id }) => [name, id])) }
}

/** Two workers for two cores with five threads each, as its deployment guide recommends. */
async function startPuma(
  place: string,
  environment: NodeJS.ProcessEnv,
): Promise<Pick<RunningRedmine, 'port' | 'pid' | 'stop'>> {
  const port = 9797
  const options = ['-e', 'production', '-w', '2', '-t', '5:5', '--preload', '-b', `tcp://127.0.0.1:${port}`]
  const puma = spawn('puma', options, { cwd: place, env: environment, stdio: ['ignore', 'ignore', 'pipe'] })
  let written = ''
  puma.stderr.on('data', (chunk: Buffer) => {
    written += chunk.toString()
  })
  const ended = once(puma, 'exit')
  const until = Date.now() + START_TIMEOUT_MS
  const isThere = () =>
    fetch(`http://127.0.0.1:${port}/users/current.json`, { headers: { 'X-Redmine-API-Key': KEY } }).then(
      ({ status }) => status === 200,
      () => false,
    )
  while (!(await isThere())) {
    if (puma.exitCode !== null || Date.now() > until) throw new Error(`Redmine does not answer: ${written}`)
    await pause(500)
  }
  return {
    port,
    pid: puma.pid ?? 0,
    async stop() {
      puma.kill('SIGINT')
      await ended
    },
  }
}
