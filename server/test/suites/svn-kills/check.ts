import { isDeepStrictEqual } from 'node:util'
import { pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import type { Context } from '../../../src/platform/operation/context.ts'
import { runTool } from '../../../src/repositories/disk/run-tool.ts'
import { sweepRepositories } from '../../../src/repositories/trash/sweep-repositories.ts'
import { verifyRepositories } from '../../../src/repositories/verify/verify-repositories.ts'
import type { TestClient } from '../../harness/client.ts'
import { TOM } from '../../fixtures/people.ts'

interface Made {
  readonly context: Context
  readonly api: TestClient
  readonly repository: number
  readonly folder: string
  /** The commits: token, and the artifact named in the message. */
  readonly commits: ReadonlyMap<string, number>
  /** Tokens of commits that must be absent. */
  readonly refused: readonly string[]
  readonly referencesOf: (artifact: number) => Promise<string[]>
}

/** Checks all invariants at the end; returns the number of revisions. */
export async function checkRepository(made: Made): Promise<number> {
  const { context } = made
  // Two hours later abandoned transactions and leftovers are old enough to be removed.
  await sweepRepositories(context, new Date(Date.now() + 7_200_000))
  await requireSound(context)
  const { stdout } = await runTool('svnadmin', ['lstxns', made.folder])
  require(stdout.length === 0, `transactions are left: ${stdout.toString()}`)
  const revisions = await readRevisions(made.folder)
  checkTokens(made, revisions)
  await checkEvents(made, revisions.length)
  await checkReferences(made, revisions)
  return revisions.length
}

async function requireSound(context: Context): Promise<void> {
  for await (const { object, faults } of verifyRepositories(context))
    require(faults.length === 0, `${object}: ${faults.join(', ')}`)
}

interface Revision {
  readonly revision: number
  readonly message: string
}

/** Reads the revisions from disk with Subversion's own tool. */
async function readRevisions(folder: string): Promise<Revision[]> {
  const flags = ['--non-interactive', '--no-auth-cache', '--config-dir', '/nonexistent', '--xml', '-r', '1:HEAD']
  const { stdout } = await runTool('svn', ['log', ...flags, pathToFileURL(folder).href])
  return [...stdout.toString().matchAll(/revision="(\d+)"[\s\S]*?<msg>([^<]*)<\/msg>/g)].map(
    ([, revision, message = '']) => ({ revision: Number(revision), message }),
  )
}

/** Acknowledged commits exist once, also after retries; refused ones are absent. */
function checkTokens({ commits, refused }: Made, revisions: readonly Revision[]): void {
  const count = (token: string) => revisions.filter(({ message }) => message.endsWith(` ${token}`)).length
  for (const token of commits.keys()) require(count(token) === 1, `${token} was committed ${count(token)} times`)
  for (const token of refused) require(count(token) === 0, `${token} was committed`)
  require(revisions.length === commits.size + 1, `${revisions.length} revisions of ${commits.size} commits`)
}

async function checkEvents({ context, repository }: Made, revisions: number): Promise<void> {
  const { rows } = await sql<{ revision: number; count: number }>`
    select (payload ->> 'revision')::bigint as revision, count(*) as count from event
    where object = ${`svn/${repository}`} and type = 'svn.commit' group by 1 order by 1`.execute(context.db)
  const recorded = rows.map(({ revision, count }) => `${revision} ${count}`)
  // The layout is not a user's commit.
  const wanted = Array.from({ length: revisions - 1 }, (_, at) => `${at + 2} 1`)
  require(isDeepStrictEqual(recorded, wanted), `told, and how often: ${recorded.join(', ')}`)
}

/** In both directions: from the revision to the artifact, and back. */
async function checkReferences({ api, repository, commits, referencesOf }: Made, revisions: readonly Revision[]) {
  const wanted = new Map<number, string[]>([...commits.values()].map((artifact) => [artifact, []]))
  const { json } = await api.get(`/svn/${repository}/revisions?limit=1000`, { as: TOM })
  for (const { revision, message } of revisions.slice(1)) {
    const artifact = Number(/art #(\d+)/.exec(message)?.[1])
    wanted.get(artifact)?.push(`svn #core/${revision}`)
    const shown = json.find((each: { revision: number }) => each.revision === revision)
    const refs = shown?.references.map(({ ref }: { ref: string }) => ref)
    require(isDeepStrictEqual(refs, [`art #${artifact}`]), `revision ${revision} refers to ${String(refs)}`)
  }
  for (const [artifact, refs] of wanted) {
    const shown = await referencesOf(artifact)
    require(isDeepStrictEqual(
      shown.toSorted(),
      refs.toSorted(),
    ), `art #${artifact}: ${String(shown)}, not ${String(refs)}`)
  }
}

function require(holds: boolean, problem: string): void {
  if (!holds) throw new Error(problem)
}
