// The quick start of the README: `npm run smoke:dev`.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { strict as assert } from 'node:assert'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'

const START_TIMEOUT_MS = 60_000
const run = promisify(execFile)

const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8')
const [install, call] = [...readme.matchAll(/```sh\n([^`]*)```/g)].map(([, block = '']) => block.trim())
assert.equal(install, 'npm ci\nnpm run dev', "the README's first command is no longer the one that is tested here")
assert.match(call ?? '', /^curl \S+$/)

const data = await mkdtemp(join(tmpdir(), 'waypost-dev-'))
try {
  // First without any PostgreSQL, on the port that the README names; then again with the data of the first start.
  const seconds = await trial(
    [],
    (dev) => process.kill(-(dev.pid ?? 0), 'SIGINT'),
    async (url, accounts) => {
      assert.equal(url, 'http://localhost:8080')
      const { stdout } = await run('curl', ['-sS', ...(call ?? '').split(' ').slice(1)])
      const [project] = JSON.parse(stdout)
      assert.match(await (await fetch(url)).text(), /<title>Waypost<\/title>/)
      const [first] = accounts
      assert.ok(first)
      const headers = { 'X-Auth-AccessKey': first.key }
      const activity = await fetch(`${url}/api/projects/${project.id}/heartbeats`, { headers })
      assert.match(await activity.text(), /^\{"entries":\[\{[^}]*\/artifacts\//, 'the activity begins without work')
      await runManual(url, first)
      for (const member of ['id', 'uri', 'label', 'shortname', 'resources'])
        assert.ok(member in project, `a project has no ${member}`)
    },
  )
  await trial(
    ['--port', '8093'],
    (dev) => dev.kill('SIGTERM'),
    async (url, [admin]) => {
      assert.equal(url, 'http://localhost:8093')
      const headers = { 'X-Auth-AccessKey': admin?.key ?? '' }
      const answer = await fetch(`${url}/api/users/self`, { headers })
      assert.match(await answer.text(), new RegExp(`"username":"${admin?.username}"`))
      assert.equal(admin?.site_admin, true)
      const again = ['server/src/commands/dev.ts', '--port', '8093', '--data', join(data, 'again')]
      const refused = await run(process.execPath, again).catch((error: unknown) => error)
      assert.match(String(refused), /Port 8093 is in use/)
    },
  )
  process.stdout.write(`dev answered after ${seconds.toFixed(1)} s\n`)
} finally {
  await rm(data, { recursive: true, force: true })
}

/** Runs every command of the integrators' manual. */
async function runManual(url: string, { key, username, password }: Account): Promise<void> {
  const manual = readFileSync(new URL('../../../docs/integrating.md', import.meta.url), 'utf8')
  const blocks = [...manual.matchAll(/```sh\n([^`]*)```/g)].map(([, block = '']) => block)
  assert.ok(blocks.length >= 9, 'the manual has lost its examples')
  const options = { cwd: data, env: { ...process.env, WAYPOST: url, KEY: key, ADMIN: `${username}:${password}` } } // Some of them write files.
  for (const block of blocks)
    await run('bash', ['-euo', 'pipefail', '-c', block], options).catch((error: unknown) => {
      throw new Error(`This example of the manual fails:\n${block}`, { cause: error })
    })
}

interface Account {
  username: string
  password: string
  key: string
  site_admin: boolean
}

async function trial(
  options: string[],
  stop: (dev: ChildProcess) => void,
  use: (url: string, accounts: Account[]) => Promise<void>,
): Promise<number> {
  const began = Date.now()
  const dev = spawn('npm', ['run', '--silent', 'dev', '--', '--json', '--data', data, ...options], {
    detached: true, // Its own process group, as in a terminal.
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, WAYPOST_POSTGRES_BIN: 'embedded' },
  })
  const ended = once(dev, 'exit')
  let written = ''
  dev.stdout.on('data', (chunk: Buffer) => {
    written += chunk.toString()
  })
  while (!written.includes('\n')) {
    assert.ok(Date.now() - began < START_TIMEOUT_MS, `not ready after ${START_TIMEOUT_MS / 1000} s:\n${written}`)
    assert.equal(dev.exitCode, null, 'it ended before it was ready')
    await pause(100)
  }
  const took = (Date.now() - began) / 1000
  const { url, accounts } = JSON.parse(written.split('\n')[0] ?? '')
  try {
    await use(url, accounts)
  } finally {
    stop(dev)
    await ended
  }
  await pause(500)
  assert.deepEqual(await leftProcesses(), [], 'processes stayed behind')
  return took
}

/** Processes that name our folder, or run our server. */
async function leftProcesses(): Promise<string[]> {
  const left = []
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')
    if (Number(pid) !== process.pid && (command.includes(data) || environment.includes(data)))
      left.push(`${pid} ${command.replaceAll('\0', ' ')}`)
  }
  return left
}
