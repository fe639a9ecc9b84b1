import { execFile } from 'node:child_process'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { print } from '../../server/src/commands/print.ts'
import { readConfig } from '../../server/src/platform/operation/config.ts'
import { makeOwnFolder } from '../../server/src/repositories/disk/svn-folders.ts'
import { runTool } from '../../server/src/repositories/disk/run-tool.ts'
import { startApache } from '../../server/src/repositories/disk/start-apache.ts'
import type { TestClient } from '../../server/test/harness/client.ts'
import { MARA, PASSWORD, TOM } from '../../server/test/fixtures/people.ts'
import { ORCHARD } from '../../server/test/fixtures/seed-ids.ts'
import { freePort } from '../../server/src/platform/operation/free-port.ts'
import { SECRET_KEY } from '../../server/test/harness/server-process.ts'
import { quantile, round, sorted } from '../quantiles.ts'
import { startBareApache } from './bare-apache.ts'

const run = promisify(execFile)
const SETTLE_MS = 300

export interface CommitFigures {
  readonly commits: number
  readonly ours_ms: number
  readonly bare_ms: number
  /** The ratio of the medians. */
  readonly ratio: number
}

interface Commits {
  readonly data: string
  readonly commits: number
  readonly environment: Record<string, string>
  readonly api: TestClient
}

/**
 * Commits one small file by the svn client: through our Apache with authentication, access file and all hooks, and
 * through a bare one without authentication and with empty shell hooks. Alternately, so that both have the same
 * conditions.
 */
export async function measureCommits({ data, commits, environment, api }: Commits): Promise<CommitFigures> {
  const apache = await startApache(
    readConfig({
      ...environment,
      WAYPOST_ENVIRONMENT: 'test',
      WAYPOST_DATABASE_URL: 'postgres://nobody@localhost/none',
      WAYPOST_SECRET_KEYS: SECRET_KEY,
    }),
  )
  const bare = await startBareApache({
    folder: join(data, 'bare'),
    repository: await makeBare(data),
    port: await freePort(),
  })
  try {
    const body = { project_id: ORCHARD, name: 'busy', settings: { layout: ['trunk'] } }
    const { status, text } = await api.post('/svn', { as: MARA, body })
    if (status !== 201) throw new Error(text)
    const ours = await checkOut(data, 'ours', `http://${environment['WAYPOST_SVN_LISTEN']}/svn/orchard/busy/trunk`)
    const theirs = await checkOut(data, 'theirs', bare.address)
    const times: Record<'ours' | 'theirs', number[]> = { ours: [], theirs: [] }
    for (let at = -1; at < commits; at++) {
      const our = await ours(at)
      await pause(SETTLE_MS) // The commit is recorded after the response, which must not affect the bare one.
      const their = await theirs(at)
      if (at < 0) continue // The first commit is a warm-up.
      times.ours.push(our)
      times.theirs.push(their)
    }
    const [ours_ms = 0, bare_ms = 0] = [times.ours, times.theirs].map((each) => round(quantile(sorted(each), 0.5)))
    const ratio = Math.round((ours_ms / bare_ms) * 100) / 100
    print(`a commit of one small file, median of ${commits}: ${ours_ms} ms, bare ${bare_ms} ms, ratio ${ratio}`)
    return { commits, ours_ms, bare_ms, ratio }
  } finally {
    await bare.stop()
    await apache.stop()
  }
}

/** Checks out a working copy. Each call changes one small file and returns the duration of its commit. */
async function checkOut(data: string, name: string, address: string): Promise<(at: number) => Promise<number>> {
  const copy = join(data, `copy-${name}`)
  const file = join(copy, 'file')
  const svn = (...args: readonly string[]) =>
    run('svn', [
      ...args,
      '--non-interactive',
      '--no-auth-cache',
      '--username',
      TOM.login,
      '--password',
      PASSWORD,
      '--config-dir',
      join(data, 'client'),
    ])
  await svn('checkout', '-q', address, copy)
  await writeFile(file, 'first\n')
  await svn('add', '-q', file)
  return async (at) => {
    await writeFile(file, `change ${at}\n`)
    const began = performance.now()
    await svn('commit', '-q', '-m', `Change ${at}.`, copy)
    return performance.now() - began
  }
}

const HOOK = '#!/bin/sh\nexit 0\n'

async function makeBare(data: string): Promise<string> {
  const folder = join(data, 'bare')
  await mkdir(folder, { recursive: true })
  await makeOwnFolder(folder)
  await chmod(folder, 0o755)
  const repository = join(folder, 'repository')
  await runTool('svnadmin', ['create', repository])
  for (const hook of ['pre-commit', 'post-commit'])
    await writeFile(join(repository, 'hooks', hook), HOOK, { mode: 0o755 })
  return repository
}
