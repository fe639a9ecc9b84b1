import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { Type } from 'typebox'
import { requireSiteAdmin } from '../../accounts/auth-errors.ts'
import { inTransaction } from '../../platform/database/db.ts'
import { isUniqueViolation } from '../../platform/database/database-errors.ts'
import { idParam, writeRoute } from '../../platform/http/route.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { createWriteContext, type WriteContext } from '../../platform/http/write-context.ts'
import { findLastEntry, type LedgerEntry } from '../../platform/jobs/job-ledger.ts'
import { JobSchema, representJob } from '../../platform/jobs/represent-job.ts'
import type { Context } from '../../platform/operation/context.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { getSvnFolders } from '../disk/svn-folders.ts'
import { findDeletedRepository, findRepository, type FoundRepository, assertProjectActive } from '../find-repository.ts'
import { isRepositoryName, type RepositoryId, representRepository } from '../repository.ts'
import { representSettings } from '../represent-settings.ts'
import { Repository } from '../schemas.ts'
import { RESTORE_JOB } from './restore-job.ts'

const ACTION = 'repository.restore'
const RESTORE_TIMEOUT_MS = 60_000
const POLL_INTERVAL_MS = 100

export const restoreRepository = writeRoute({
  method: 'POST',
  path: '/svn/:id/restore',
  operationId: 'restoreRepository',
  summary: 'Take a Subversion repository out of the trash; what takes longer than a minute goes on as a job.',
  description:
    'Loads a repository from its dump, with its id, revisions and settings. Site administrators only. If its name is taken it is 409, unless another `name` is given.',
  access: 'signed_in',
  action: ACTION,
  params: { id: idParam<RepositoryId>('The repository.') },
  body: Type.Object({
    name: Type.Optional(Type.String({ description: 'Another one, where its own is in use by now.' })),
  }),
  bodyRules: { isOptional: true },
  answer: Repository,
  answerOptions: { alternative: JobSchema },
  status: 201,
  versioned: true,
  dryRun: { omits: [] },
  // A worker runs the job, so it must be committed before the request can wait for it.
  async prepare({ context, viewer, params: { id }, body, origin, isDryRun }) {
    if (isDryRun) return
    await inTransaction(context.db, (tx) =>
      enqueueRestore(createWriteContext(tx, origin, ACTION), { context, viewer }, id, body?.name),
    )
    await waitUntilSettled(context, id)
  },
  async handle({ context, viewer, params: { id }, body, language }, work) {
    const { tx } = work
    if (work.isDryRun) {
      const { repository, project } = await enqueueRestore(work, { context, viewer }, id, body?.name)
      const settings = await representSettings({ context, db: tx, viewer, language }, repository)
      return { body: { ...representRepository(context.config, repository, project, viewer), settings } }
    }
    const job = await findLastEntry(tx, RESTORE_JOB, `svn/${id}`)
    if (job && job.state !== 'done') return { status: 202, other: representJob(job) }
    const { repository, project } = await findRepository(tx, viewer, id)
    const settings = await representSettings({ context, db: tx, viewer, language }, repository)
    return {
      body: { ...representRepository(context.config, repository, project, viewer), settings },
      location: `svn/${id}`,
      version: { kind: 'repository', id, version: repository.version },
    }
  },
})

/** Claims the name and enqueues the job. A repeated request waits for the same job. */
async function enqueueRestore(
  work: WriteContext,
  { context, viewer }: { context: Context; viewer: Viewer },
  id: RepositoryId,
  wanted: string | undefined,
): Promise<FoundRepository> {
  requireSiteAdmin(viewer)
  const { tx } = work
  const { repository, project } = await findDeletedRepository(tx, viewer, id)
  assertProjectActive(project)
  getSvnFolders(context.config) // Throws if no repository root is configured.
  const name = wanted ?? repository.name
  if (!isRepositoryName(name)) throw new ApiError('repository_name_invalid', { path: 'name', rule: 'pattern' })
  await reserveName(work, id, name, context.clock.now())

  const object = `svn/${id}`
  if (!isUnderWay(await findLastEntry(tx, RESTORE_JOB, object))) {
    const before = { is_deleted: true, name: repository.name }
    await work.change({ object, op: 'update', project_id: project.id, before, after: { is_deleted: false, name } })
    const payload = { repository_id: id, account_id: viewer.account_id ?? null }
    await work.enqueue({ type: RESTORE_JOB, payload, object })
  }
  return { repository: { ...repository, name }, project }
}

async function reserveName({ tx }: WriteContext, id: RepositoryId, name: string, now: Date): Promise<void> {
  await sql`
    update repository set restoring_on = coalesce(restoring_on, ${now}), restoring_name = nullif(${name}::text, name)
    where id = ${id}`
    .execute(tx)
    .catch((error: unknown) => {
      if (!isUniqueViolation(error, 'repository_name')) throw error
      throw new ApiError('repository_name_taken', { path: 'name', rule: 'unique' })
    })
}

function isUnderWay(job: LedgerEntry | undefined): boolean {
  return job !== undefined && job.state !== 'done' && job.state !== 'parked'
}

/** Until the job is done or has failed once: its retries take minutes. */
async function waitUntilSettled({ db }: Context, id: RepositoryId): Promise<void> {
  for (const end = Date.now() + RESTORE_TIMEOUT_MS; Date.now() < end; await pause(POLL_INTERVAL_MS)) {
    const job = await findLastEntry(db, RESTORE_JOB, `svn/${id}`)
    if (job?.state !== 'waiting' && job?.state !== 'running') return
  }
}
