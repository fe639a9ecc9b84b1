import type { Role } from '../../server/src/commands/bench-data/bench-tracker.ts'
import { print, table } from '../../server/src/commands/print.ts'
import type { ServerProcess } from '../../server/test/harness/server-process.ts'
import { openCluster, type Cluster } from '../artifacts/cluster.ts'
import { benchAccessKey } from '../artifacts/keys.ts'
import { watchProcessors } from '../artifacts/processor-time.ts'
import { startMeasured } from '../artifacts/server.ts'
import { quantile, round, sorted } from '../quantiles.ts'

export interface TypingOptions {
  readonly size: number
  /** How often each text is typed by each role; once more before, to fill caches. */
  readonly rounds: number
  readonly data: string
}

export interface TypingFigures {
  readonly size: number
  readonly rounds: number
  readonly roles: readonly TypingFigure[]
  /** Every response had status 200, and titles that begin as typed. */
  readonly is_right: boolean
}

interface TypingFigure {
  readonly role: Role
  readonly letters: number
  readonly p50_ms: number
  readonly p95_ms: number
  readonly slowest: string
  readonly slowest_ms: number
  /** Milliseconds of processor time for each letter; null if unknown. */
  readonly server_ms: number | null
  readonly postgres_ms: number | null
  readonly is_right: boolean
}

/** Frequent and absent words, words of texts that are in no title, several words, a phrase, and a reference. */
const TYPED = [
  'table row',
  'because',
  'restore until',
  'history',
  'https',
  'xyzzy',
  'kubernetes',
  'yes',
  'person tracker comment',
  '"open close',
  'item 12',
  'art #5000',
] as const
export const MAX_LETTER_P95_MS = 50

/** `GET /search` for each letter of some texts, one after the other, as the command palette sends them. */
export async function measureTyping({ size, rounds, data }: TypingOptions): Promise<TypingFigures> {
  const cluster = await openCluster(size, data)
  const roles: TypingFigure[] = []
  try {
    // The limits per client are for people, who type more slowly.
    const server = await startMeasured(cluster.serverUrl, { WAYPOST_RATE_LIMIT_FACTOR: '1000' })
    try {
      for (const role of ['member', 'group', 'admin'] as const)
        roles.push(await measureRole({ cluster, server, role }, rounds))
    } finally {
      await server.stop()
    }
  } finally {
    await cluster.stop()
  }
  print(
    table([
      [`each letter, ${size} artifacts`, 'letters', 'p50', 'p95', 'slowest', '', 'server ms', 'PostgreSQL ms', 'right'],
      ...roles.map((each) => [
        each.role,
        String(each.letters),
        `${each.p50_ms} ms`,
        `${each.p95_ms} ms`,
        `${each.slowest_ms} ms`,
        each.slowest,
        String(each.server_ms),
        String(each.postgres_ms),
        each.is_right ? 'yes' : 'NO',
      ]),
    ]),
  )
  return { size, rounds, roles, is_right: roles.every((each) => each.is_right) }
}

interface TypingSide {
  readonly cluster: Cluster
  readonly server: ServerProcess
  readonly role: Role
}

async function measureRole(side: TypingSide, rounds: number): Promise<TypingFigure> {
  const queries = TYPED.flatMap(lettersOf)
  for (const query of queries) await ask(side, query)
  const times: { query: string; ms: number }[] = []
  let isRight = true
  const used = await watchProcessors([side.server.pid, side.cluster.pid])
  const began = performance.now()
  for (let turn = 0; turn < rounds; turn++)
    for (const query of queries) {
      const asked = performance.now()
      const answer = await ask(side, query)
      times.push({ query, ms: performance.now() - asked })
      isRight &&=
        answer !== undefined && answer.every(({ matched, title }) => matched !== 'title' || beginsAs(title, query))
    }
  const seconds = (performance.now() - began) / 1000
  const [server, postgres] = (await used()).map((share) => share && round((share * seconds * 1000) / times.length))
  const [slowest] = times.toSorted((one, other) => other.ms - one.ms)
  const inOrder = sorted(times.map(({ ms }) => ms))
  return {
    role: side.role,
    letters: times.length,
    p50_ms: round(quantile(inOrder, 0.5)),
    p95_ms: round(quantile(inOrder, 0.95)),
    slowest: slowest?.query ?? '',
    slowest_ms: round(slowest?.ms ?? 0),
    server_ms: server ?? null,
    postgres_ms: postgres ?? null,
    is_right: isRight,
  }
}

/** The text after each letter; a space alone asks nothing new. */
function lettersOf(text: string): string[] {
  const beginnings = Array.from(text, (_, at) => text.slice(0, at + 1).trim())
  return [...new Set(beginnings)]
}

interface Answer {
  readonly matched: string
  readonly title: string | null
}

/** Undefined if it was refused. */
async function ask({ server, role }: TypingSide, query: string): Promise<readonly Answer[] | undefined> {
  const response = await fetch(`${server.api.origin}/api/search?${new URLSearchParams({ query }).toString()}`, {
    headers: { 'X-Auth-AccessKey': benchAccessKey(role) },
  })
  const body: { artifacts?: readonly Answer[] } = JSON.parse(await response.text())
  return response.ok ? body.artifacts : undefined
}

/** Signs alone are ignored. */
function beginsAs(title: string | null, query: string): boolean {
  const words = title?.toLowerCase().split(/[^a-z0-9]+/) ?? []
  const typed = query.toLowerCase().split(/[^a-z0-9]+/)
  return typed.every((each) => words.some((word) => word.startsWith(each)))
}
