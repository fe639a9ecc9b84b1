import { join } from 'node:path'
import { print, table } from '../../server/src/commands/print.ts'
import { createSeededRandom, type SeededRandom } from '../../server/src/platform/operation/seeded-random.ts'
import { getSvnFolders, repositoryFolder } from '../../server/src/repositories/disk/svn-folders.ts'
import { runTool } from '../../server/src/repositories/disk/run-tool.ts'
import { loadRevisions } from '../../server/test/fixtures/browsed-repository.ts'
import type { TestClient } from '../../server/test/harness/client.ts'
import { MARA, OLGA } from '../../server/test/fixtures/people.ts'
import { ORCHARD } from '../../server/test/fixtures/seed-ids.ts'
import { freePort } from '../../server/src/platform/operation/free-port.ts'
import { dumpOf } from '../../server/src/repositories/disk/svn-dump.ts'
import { openFilesWorld } from '../files/world.ts'
import { quantile, round, sorted } from '../quantiles.ts'
import { type CommitFigures, measureCommits } from './commits.ts'
import { generateHistory } from './generate-history.ts'

export interface SvnOptions {
  readonly data: string
  readonly revisions: number
  /** Per question. */
  readonly requests: number
  /** Through the platform and through bare Apache each. */
  readonly commits: number
}

export interface SvnFigures {
  readonly revisions: number
  readonly requests: number
  readonly operations: Measured[]
  readonly commit: CommitFigures
}

interface Measured {
  readonly operation: string
  readonly p50_ms: number
  readonly p95_ms: number
  readonly worst_ms: number
}

const ACCESS_FILE = '[/secret]\n* =\nmara = rw'

/** Each request is for another path and revision, to avoid cache hits. */
const QUESTIONS: Readonly<Record<string, (random: SeededRandom, youngest: number) => string>> = {
  tree: (random, youngest) => `tree?path=/trunk/d${random.integer(20)}&rev=${someRevision(random, youngest)}`,
  'log of everything': (random, youngest) => `log?limit=50&offset=${random.integer(youngest - 1)}`,
  'log of a directory': (random, youngest) =>
    `log?path=/trunk/d${random.integer(20)}&rev=${someRevision(random, youngest)}&limit=50`,
  'log of trunk': (random, youngest) => `log?path=/trunk&rev=${someRevision(random, youngest)}&limit=50`,
  diff: (random, youngest) => `diff?rev=${someRevision(random, youngest)}`,
  'diff of 20 revisions': (random, youngest) => {
    const to = someRevision(random, youngest)
    return `diff?path=/trunk&from=${Math.max(to - 20, 1)}&to=${to}`
  },
  revisions: (random, youngest) => `revisions?limit=50&offset=${random.integer(youngest - 1)}`,
  'revisions by author': () => 'revisions?author=tom&limit=50',
  blame: (random, youngest) => {
    const file = 20 + random.integer(80)
    return `blame?path=/trunk/d${file % 20}/f${file}.ts&rev=${Math.max(youngest - random.integer(100), 150)}`
  },
}

/** The same by Subversion's own client on the same disk, without a server: the baseline of this machine. */
const BARE: Readonly<Record<string, (random: SeededRandom, youngest: number, root: string) => string[]>> = {
  'bare svn log of trunk': (random, youngest, root) => {
    const revision = someRevision(random, youngest)
    return ['log', '-v', '--limit', '50', `${root}/trunk@${revision}`]
  },
  'bare svn diff': (random, youngest, root) => ['diff', '-c', String(someRevision(random, youngest)), root],
}

/** Browsing by the REST API, as a member without access to a part of the repository. */
export async function measureSvn({ data, revisions, requests, commits }: SvnOptions): Promise<SvnFigures> {
  const world = await openFilesWorld(data)
  const root = join(data, 'svn')
  try {
    const environment = {
      WAYPOST_SVN_ROOT: root,
      WAYPOST_SVN_LISTEN: `127.0.0.1:${await freePort()}`,
    }
    const server = await world.start(environment)
    try {
      const { id, folder } = await makeRepository(server.api, root, revisions)
      const operations = []
      for (const [operation, question] of Object.entries(QUESTIONS)) {
        const times = await measure(requests, async (random) => {
          const path = `/svn/${id}/${question(random, revisions)}`
          const { status, text } = await server.api.get(path, { as: OLGA })
          if (status !== 200) throw new Error(`${path}: ${text}`)
        })
        operations.push(figuresOf(operation, times))
      }
      for (const [operation, command] of Object.entries(BARE)) {
        const times = await measure(requests, async (random) => {
          await runTool('svn', command(random, revisions, `file://${folder}`))
        })
        operations.push(figuresOf(operation, times))
      }
      print(
        table([
          [`${revisions} revisions`, 'p50', 'p95', 'worst'],
          ...operations.map(({ operation, p50_ms, p95_ms, worst_ms }) => [
            operation,
            `${p50_ms} ms`,
            `${p95_ms} ms`,
            `${worst_ms} ms`,
          ]),
        ]),
      )
      const commit = await measureCommits({ data, commits, environment, api: server.api })
      return { revisions, requests, operations, commit }
    } finally {
      await server.stop()
    }
  } finally {
    await world.stop()
  }
}

async function makeRepository(api: TestClient, root: string, revisions: number) {
  const body = { project_id: ORCHARD, name: 'large', settings: { access_file: ACCESS_FILE } }
  const { status, json, text } = await api.post('/svn', { as: MARA, body })
  if (status !== 201) throw new Error(text)
  const folder = repositoryFolder(getSvnFolders({ WAYPOST_SVN_ROOT: root }), { shortname: 'orchard', name: 'large' })
  await loadRevisions(folder, dumpOf(generateHistory(revisions)))
  return { id: Number(json.id), folder }
}

async function measure(requests: number, ask: (random: SeededRandom) => Promise<void>): Promise<number[]> {
  const random = createSeededRandom(requests)
  const times: number[] = []
  for (let at = -1; at < requests; at++) {
    const began = performance.now()
    await ask(random)
    if (at >= 0) times.push(performance.now() - began) // The first request is a warm-up.
  }
  return sorted(times)
}

function figuresOf(operation: string, times: readonly number[]): Measured {
  const [p50_ms = 0, p95_ms = 0, worst_ms = 0] = [0.5, 0.95, 1].map((share) => round(quantile(times, share)))
  return { operation, p50_ms, p95_ms, worst_ms }
}

function someRevision(random: SeededRandom, youngest: number): number {
  return youngest - random.integer(Math.floor(youngest / 2))
}
