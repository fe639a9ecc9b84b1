import { sql } from 'kysely'
import { findCommitter } from '../../accounts/sign-in/find-viewer.ts'
import { findExisting } from '../../artifacts/find-existing.ts'
import { inTransaction, type Tx } from '../../platform/database/db.ts'
import { recordEvent } from '../../platform/database/events.ts'
import { ANONYMOUS_VIEWER } from '../../platform/http/request-state.ts'
import type { AccountId, Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import type { ProjectId } from '../../projects/project.ts'
import { findReferences, type FoundReference } from '../../projects/references/find-references.ts'
import { LAYOUT_MESSAGE } from '../disk/make-repository.ts'
import { readYoungestRevision } from '../disk/read-youngest-revision.ts'
import { type Commit, readChangedPaths, readCommit } from '../hooks/changed-paths.ts'
import type { ChangedPath } from '../hooks/transaction-changes.ts'
import { ARTIFACT_LINK } from '../hooks/commit-message.ts'
import type { RepositoryId } from '../repository.ts'
import { enqueueCommitMails } from './commit-mails.ts'
import { directoryOf } from './notified-paths.ts'
import { executePlannedMoves } from './planned-moves.ts'

export interface RecordedRepository {
  readonly id: RepositoryId
  readonly project_id: ProjectId
}

/**
 * Records all unrecorded revisions in order. The transaction that inserts a revision also advances `recorded_revision`
 * (compare-and-swap), so each is recorded once, despite concurrent writers and crashes.
 */
export async function recordRevisions(context: Context, repository: RecordedRepository, folder: string): Promise<void> {
  const youngest = await readYoungestRevision(folder)
  const { rows } = await sql<{ recorded_revision: number }>`
    select recorded_revision from repository where id = ${repository.id}`.execute(context.db)
  for (let revision = (rows[0]?.recorded_revision ?? youngest) + 1; revision <= youngest; revision++) {
    const which = ['-r', String(revision)] as const
    const [commit, changes] = await Promise.all([readCommit(folder, which), readChangedPaths(folder, which)])
    const committer = commit.author === '' ? undefined : await findCommitter(context, commit.author)
    const references = await findMessageReferences(context, repository, committer ?? ANONYMOUS_VIEWER, commit.message)
    await inTransaction(context.db, (tx) =>
      recordRevision(context, tx, repository, { revision, commit, committer, references, changes }),
    )
  }
}

/** Records the layout revision of a new repository without an event: the creation already has one. */
export async function recordLayout(
  tx: Tx,
  { id: repository_id, project_id }: RecordedRepository,
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

/** Updates the references after the message of a revision changed. */
export async function recordMessage(
  context: Context,
  repository: RecordedRepository,
  folder: string,
  revision: number,
): Promise<void> {
  const commit = await readCommit(folder, ['-r', String(revision)])
  const committer = commit.author === '' ? undefined : await findCommitter(context, commit.author)
  const references = await findMessageReferences(context, repository, committer ?? ANONYMOUS_VIEWER, commit.message)
  await inTransaction(context.db, async (tx) => {
    const { numAffectedRows } = await sql`
      update repository_revision set message = ${commit.message.replaceAll('\0', '')}
      where repository_id = ${repository.id} and revision = ${revision}`.execute(tx)
    if (numAffectedRows !== 1n) return // Not recorded yet: the recording will read the new message.
    await tx
      .deleteFrom('repository_reference')
      .where('repository_id', '=', repository.id)
      .where('revision', '=', revision)
      .execute()
    await insertReferences(tx, repository, revision, references)
  })
}

interface ResolvedReference extends FoundReference {
  readonly target_id: number | null
}

interface NewRevision {
  readonly revision: number
  readonly commit: Commit
  readonly committer: Viewer | undefined
  readonly references: readonly ResolvedReference[]
  readonly changes: readonly ChangedPath[]
}

/** Keeps events small; the revision page lists all paths. */
const MAX_DIRECTORIES = 100
/** A reader may have access to one path of a directory and not to another. */
const MAX_PATHS_PER_DIRECTORY = 2

function recordedPaths(changes: readonly ChangedPath[]): string[] {
  const inDirectories = Map.groupBy(changes, ({ path }) => directoryOf(path))
  return [...inDirectories.values()]
    .slice(0, MAX_DIRECTORIES)
    .flatMap((some) => some.slice(0, MAX_PATHS_PER_DIRECTORY).map(({ path }) => path))
}

async function recordRevision(
  context: Context,
  tx: Tx,
  repository: RecordedRepository,
  made: NewRevision,
): Promise<void> {
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
  const origin = { viewer: committer ?? ANONYMOUS_VIEWER, request_id: null, address: null }
  await recordEvent(tx, origin, {
    type: 'svn.commit',
    object: `svn/${repository_id}`,
    project_id,
    payload: { revision, paths: recordedPaths(changes) },
  })
  await enqueueCommitMails(tx, { ...repository, revision, changes })
  if (committer) await executePlannedMoves(context, tx, repository, { ...commit, committer, revision })
}

async function insertReferences(
  tx: Tx,
  { id: repository_id, project_id }: RecordedRepository,
  revision: number,
  references: readonly ResolvedReference[],
): Promise<void> {
  const rows = references.map(({ text, keyword, value, project_id: of_project, target_id, isAmbiguous }) => ({
    project_id,
    repository_id,
    revision,
    ref: isAmbiguous ? `${text} #${value}` : text,
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

const MAX_REFERENCES = 1000

async function findMessageReferences(
  context: Context,
  { project_id }: RecordedRepository,
  committer: Viewer,
  message: string,
): Promise<ResolvedReference[]> {
  const all = await findReferences(context, committer, { id: project_id }, message)
  const found = all.slice(0, MAX_REFERENCES)
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
