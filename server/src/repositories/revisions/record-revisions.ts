import { sql } from 'kysely'
import { findCommitter } from '../../accounts/sign-in/find-viewer.ts'
import { findExisting } from '../../artifacts/find-existing.ts'
import { inTransaction, type Tx } from '../../platform/database/db.ts'
import { recordEvent } from '../../platform/database/events.ts'
import { ANONYMOUS } from '../../platform/http/exchange.ts'
import type { AccountId, Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import type { ProjectId } from '../../projects/project.ts'
import { findReferences, type FoundReference } from '../../projects/references/find-references.ts'
import { LAYOUT_MESSAGE } from '../disk/make-repository.ts'
import { youngestIn } from '../disk/youngest.ts'
import { type ChangedPath, type Commit, readChanges, readCommit } from '../hooks/changed-paths.ts'
import { ARTIFACT_LINK } from '../hooks/commit-message.ts'
import type { RepositoryId } from '../repository.ts'
import { orderCommitMails } from './commit-mails.ts'
import { directoryOf } from './notified-paths.ts'
import { makeMoves } from './planned-moves.ts'

export interface Recorded {
  readonly id: RepositoryId
  readonly project_id: ProjectId
}

/**
 * Takes down every revision that is not yet recorded, one after the other. The one that follows the last recorded is
 * recorded in the transaction that moves this mark, so that each is recorded once, whoever else tries, and whoever dies.
 */
export async function recordRevisions(context: Context, repository: Recorded, folder: string): Promise<void> {
  const youngest = await youngestIn(folder)
  const { rows } = await sql<{ recorded_revision: number }>`
    select recorded_revision from repository where id = ${repository.id}`.execute(context.db)
  for (let revision = (rows[0]?.recorded_revision ?? youngest) + 1; revision <= youngest; revision++) {
    const which = ['-r', String(revision)] as const
    const [commit, changes] = await Promise.all([readCommit(folder, which), readChanges(folder, which)])
    const committer = commit.author === '' ? undefined : await findCommitter(context, commit.author)
    const references = await referencesIn(context, repository, committer ?? ANONYMOUS, commit.message)
    await inTransaction(context.db, (tx) =>
      record(context, tx, repository, { revision, commit, committer, references, changes }),
    )
  }
}

/** The revision in which a new repository gets its layout: that it was made is told already. */
export async function recordLayout(
  tx: Tx,
  { id: repository_id, project_id }: Recorded,
  { by, on }: { by: AccountId | null; on: Date },
): Promise<void> {
  await tx
    .insertInto('repository_revision')
    .values({
      project_id,
      repository_id,
      revision: 1,
      account_id: by,
      author: by === null ? '' : null,
      message: LAYOUT_MESSAGE,
      committed_on: on,
    })
    .execute()
  await tx.updateTable('repository').set({ recorded_revision: 1 }).where('id', '=', repository_id).execute()
}

/** The message of a revision has other words now: it may refer to other things. */
export async function recordMessage(
  context: Context,
  repository: Recorded,
  folder: string,
  revision: number,
): Promise<void> {
  const commit = await readCommit(folder, ['-r', String(revision)])
  const committer = commit.author === '' ? undefined : await findCommitter(context, commit.author)
  const references = await referencesIn(context, repository, committer ?? ANONYMOUS, commit.message)
  await inTransaction(context.db, async (tx) => {
    const { numAffectedRows } = await sql`
      update repository_revision set message = ${commit.message.replaceAll('\0', '')}
      where repository_id = ${repository.id} and revision = ${revision}`.execute(tx)
    if (numAffectedRows !== 1n) return // Nobody has recorded it yet; whoever does reads the new words.
    await tx
      .deleteFrom('repository_reference')
      .where('repository_id', '=', repository.id)
      .where('revision', '=', revision)
      .execute()
    await insertReferences(tx, repository, revision, references)
  })
}

interface Found extends FoundReference {
  readonly target_id: number | null
}

interface NewRevision {
  readonly revision: number
  readonly commit: Commit
  readonly committer: Viewer | undefined
  readonly references: readonly Found[]
  readonly changes: readonly ChangedPath[]
}

/** An event is small: of a commit that is larger, the rest is read where revisions are. */
const MOST_DIRECTORIES = 100
/** Who may not read one thing in a directory may perhaps read another. */
const MOST_OF_EACH = 2

function recordedPaths(changes: readonly ChangedPath[]): string[] {
  const inDirectories = Map.groupBy(changes, ({ path }) => directoryOf(path))
  return [...inDirectories.values()]
    .slice(0, MOST_DIRECTORIES)
    .flatMap((some) => some.slice(0, MOST_OF_EACH).map(({ path }) => path))
}

async function record(context: Context, tx: Tx, repository: Recorded, made: NewRevision): Promise<void> {
  const { revision, commit, committer, references, changes } = made
  const { numAffectedRows } = await sql`
    update repository set recorded_revision = ${revision}
    where id = ${repository.id} and recorded_revision = ${revision - 1}`.execute(tx)
  if (numAffectedRows !== 1n) return
  const { id: repository_id, project_id } = repository
  await tx
    .insertInto('repository_revision')
    .values({
      project_id,
      repository_id,
      revision,
      account_id: committer?.account_id ?? null,
      author: committer ? null : commit.author,
      message: commit.message.replaceAll('\0', ''),
      committed_on: commit.on,
    })
    .execute()
  await insertReferences(tx, repository, revision, references)
  const origin = { viewer: committer ?? ANONYMOUS, request_id: null, address: null }
  await recordEvent(tx, origin, {
    type: 'svn.commit',
    object: `svn/${repository_id}`,
    project_id,
    payload: { revision, paths: recordedPaths(changes) },
  })
  await orderCommitMails(tx, { ...repository, revision, changes })
  if (committer) await makeMoves(context, tx, repository, { ...commit, committer, revision })
}

async function insertReferences(
  tx: Tx,
  { id: repository_id, project_id }: Recorded,
  revision: number,
  references: readonly Found[],
): Promise<void> {
  const rows = references.map(({ text, keyword, value, project_id: of_project, target_id }) => ({
    project_id,
    repository_id,
    revision,
    ref: text,
    keyword,
    value,
    of_project,
    target_id,
  }))
  if (rows.length > 0)
    await tx
      .insertInto('repository_reference')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
}

const MOST_REFERENCES = 1000

async function referencesIn(
  context: Context,
  { project_id }: Recorded,
  committer: Viewer,
  message: string,
): Promise<Found[]> {
  const all = await findReferences(context, committer, { id: project_id }, message)
  const found = all.slice(0, MOST_REFERENCES)
  const artifacts = found.filter(({ kind, value }) => kind.link === ARTIFACT_LINK && /^\d{1,15}$/.test(value))
  const existing = new Set<number>(
    await findExisting(
      context.db,
      committer,
      artifacts.map(({ value }) => Number(value)),
    ),
  )
  return found.map((reference) => ({
    ...reference,
    target_id: artifacts.includes(reference) && existing.has(Number(reference.value)) ? Number(reference.value) : null,
  }))
}
