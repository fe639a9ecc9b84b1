import { sql } from 'kysely'
import { failpoint } from '#failpoint'
import { Type } from 'typebox'
import { requireAccount } from '../../accounts/auth-errors.ts'
import { idParam, writeRoute } from '../../platform/http/route.ts'
import type { Tx } from '../../platform/database/db.ts'
import { requirePrecondition, isConditional } from '../../platform/wire/etag.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { countArtifacts } from '../../trackers/counter.ts'
import { requireTrackerAdmin } from '../../trackers/find-tracker.ts'
import { requireActiveProject } from '../../trackers/load-tracker.ts'
import { type Artifact, type ArtifactId, artifactVersion } from '../artifact.ts'
import { findArtifact } from '../reading/find-artifact.ts'
import { lockWithCounters } from '../update-artifact/lock-artifacts.ts'
import { enqueueArchive } from './archives/enqueue-archive.ts'
import { spendDeletion } from './deletion-limit.ts'
import { purgeFromTrash } from './purge-artifact.ts'

export const deleteArtifact = writeRoute({
  method: 'DELETE',
  path: '/artifacts/:id',
  operationId: 'deleteArtifact',
  summary: 'Move an artifact to the trash. With `purge`, permanently remove one that is in the trash.',
  description:
    'Moves an artifact to the trash, from which it can be restored. Tracker administrators; `purge` only site administrators. Over the daily limit of deletions it is 429.',
  access: 'signed_in',
  action: 'artifact.delete',
  notifies: true,
  versioned: 'dated',
  params: { id: idParam<ArtifactId>('The artifact.') },
  query: { purge: Type.Optional(Type.Boolean({ description: 'Only site administrators.' })) },
  async handle({ context, viewer, params: { id }, query, headers }, work) {
    const account = requireAccount(viewer)
    if (query.purge) {
      await purgeFromTrash(context, work, viewer, id)
      return {}
    }
    const { tx } = work
    await lockWithCounters(tx, id)
    const { artifact, access } = await findArtifact(context, tx, viewer, id)
    const { tracker } = access
    requireTrackerAdmin(access)
    requirePrecondition(headers, artifactVersion(artifact))
    if (tracker.settings.require_precondition && !isConditional(headers)) throw new ApiError('precondition_required')
    requireActiveProject(tracker)
    if (!tracker.settings.allow_deletion) throw new ApiError('deletion_disabled')
    const now = context.clock.now()
    const limits = await spendDeletion(tx, context.settings.current.artifact_deletion_limit, account, artifact, now)
    failpoint('artifact.counted')
    await moveToTrash(tx, artifact, account, now)
    failpoint('artifact.deleted')
    const object = `artifacts/${id}`
    await work.change({
      object,
      op: 'delete',
      project_id: artifact.project_id,
      before: { tracker_id: tracker.id, version: artifact.version },
    })
    await work.recordEvent({
      type: 'artifact.deleted',
      object,
      project_id: artifact.project_id,
      payload: { tracker_id: tracker.id, version: artifact.version },
    })
    if (context.settings.current.archive_deleted_artifacts)
      await enqueueArchive(work, artifact, tracker, { deleted_by: account, deleted_on: now })
    return { headers: limits }
  },
})

async function moveToTrash(tx: Tx, artifact: Artifact, account: number, now: Date): Promise<void> {
  await sql`
    with gone as (
      update artifact set deleted_on = ${now}, deleted_by = ${account}
      where id = ${artifact.id} returning tracker_id
    )
    ${countArtifacts(sql`gone`, -1)}`.execute(tx)
}
