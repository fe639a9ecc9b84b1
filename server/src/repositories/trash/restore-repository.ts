import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { Type } from 'typebox'
import { requireSiteAdmin } from '../../accounts/refusals.ts'
import { inTransaction } from '../../platform/database/db.ts'
import { isUniqueViolation } from '../../platform/database/faults.ts'
import { idParam, writeRoute } from '../../platform/http/route.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { createWork, type Work } from '../../platform/http/work.ts'
import { findLastEntry, type LedgerEntry } from '../../platform/jobs/job-ledger.ts'
import { JobSchema, representJob } from '../../platform/jobs/represent-job.ts'
import type { Context } from '../../platform/operation/context.ts'
import { ApiError } from '../../platform/words/errors.ts'
import { placesOf } from '../disk/places.ts'
import { findDeletedRepository, findRepository, type FoundRepository, requireActive } from '../find-repository.ts'
import { isRepositoryName, type RepositoryId, representRepository } from '../repository.ts'
import { representSettings } from '../represent-settings.ts'
import { Repository } from '../schemas.ts'
import { RESTORE } from './restore-job.ts'

const ACTION = 'repository.restore'
const PATIENCE = 60_000
const BETWEEN_LOOKS = 100

export const restoreRepository = writeRoute({
  method: 'POST',
  path: '/svn/:id/restore',
  operationId: 'restoreRepository',
  summary: 'Take a Subversion repository out of the trash; what takes longer than a minute goes on as a job.',
  access: 'signed_in',
  action: ACTION,
  params: { id: idParam<RepositoryId>('The repository.') },
  body: Type.Object({
    name: Type.Optional(Type.String({ description: 'Another one, where its own is in use by now.' })),
  }),
  bodyOptional: true,
  answer: Repository,
  otherAnswer: JobSchema,
  status: 201,
  versioned: true,
  givenByWrite: [],
  // A worker does it, so it has to be ordered before anybody can wait for it.
  async prepare({ context, viewer, params: { id }, body, origin, isDryRun }) {
    if (isDryRun) return
    await inTransaction(context.db, (tx) => order(createWork(tx, origin, ACTION), { context, viewer }, id, body?.name))
    await untilItRests(context, id)
  },
  async handle({ context, viewer, params: { id }, body, language }, work) {
    const { tx } = work
    if (work.isDryRun) {
      const { repository, project } = await order(work, { context, viewer }, id, body?.name)
      const settings = await representSettings({ context, db: tx, viewer, language }, repository)
      return { body: { ...representRepository(context.config, repository, project), settings } }
    }
    const job = await findLastEntry(tx, RESTORE, `svn/${id}`)
    if (job && job.state !== 'done') return { status: 202, other: representJob(job) }
    const { repository, project } = await findRepository(tx, viewer, id)
    const settings = await representSettings({ context, db: tx, viewer, language }, repository)
    return {
      body: { ...representRepository(context.config, repository, project), settings },
      location: `svn/${id}`,
      version: { kind: 'repository', id, version: repository.version },
    }
  },
})

/** Takes the name, and lets a job do the rest. Whoever asks again while that is under way waits for the same. */
async function order(
  work: Work,
  { context, viewer }: { context: Context; viewer: Viewer },
  id: RepositoryId,
  wanted: string | undefined,
): Promise<FoundRepository> {
  requireSiteAdmin(viewer)
  const { tx } = work
  const { repository, project } = await findDeletedRepository(tx, viewer, id)
  requireActive(project)
  placesOf(context.config) // Without a place for it there is no repository.
  const name = wanted ?? repository.name
  if (!isRepositoryName(name)) throw new ApiError('repository_name_invalid', { path: 'name', rule: 'pattern' })
  await takeName(work, id, name, context.clock.now())

  const object = `svn/${id}`
  if (!isUnderWay(await findLastEntry(tx, RESTORE, object))) {
    const before = { is_deleted: true, name: repository.name }
    await work.change({ object, op: 'update', project_id: project.id, before, after: { is_deleted: false, name } })
    const payload = { repository_id: id, account_id: viewer.account_id ?? null }
    await work.enqueue({ type: RESTORE, payload, object })
  }
  return { repository: { ...repository, name }, project }
}

async function takeName({ tx }: Work, id: RepositoryId, name: string, now: Date): Promise<void> {
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

/** Until it is done, or has failed: what then follows takes minutes. */
async function untilItRests({ db }: Context, id: RepositoryId): Promise<void> {
  for (const end = Date.now() + PATIENCE; Date.now() < end; await pause(BETWEEN_LOOKS)) {
    const job = await findLastEntry(db, RESTORE, `svn/${id}`)
    if (job?.state !== 'waiting' && job?.state !== 'running') return
  }
}
