import { sql } from 'kysely'
import { failpoint } from '#failpoint'
import { requireAccount } from '../../accounts/refusals.ts'
import { idParam, writeRoute } from '../../platform/http/route.ts'
import type { AccountId, Viewer } from '../../platform/http/viewer.ts'
import type { Work } from '../../platform/http/work.ts'
import type { Context } from '../../platform/operation/context.ts'
import { untilUnchanged } from '../../platform/operation/until-unchanged.ts'
import { countArtifacts } from '../../trackers/counter.ts'
import { requireActiveProject, requireTrackerAdmin } from '../../trackers/find-tracker.ts'
import { type ArtifactId, versionOf } from '../artifact.ts'
import { findArtifact } from '../reading/find-artifact.ts'
import { ArtifactRepresentation, representArtifact } from '../reading/represent-artifact.ts'
import { effectsOf } from '../writing/effects.ts'
import { lockWithCounters } from '../writing/lock-artifacts.ts'
import { writeVersion } from '../writing/write-version.ts'
import { findDeleted } from './find-deleted.ts'

export const restoreArtifact = writeRoute({
  method: 'POST',
  path: '/artifacts/:id/restore',
  operationId: 'restoreArtifact',
  summary: 'Bring an artifact back from the trash.',
  access: 'signed_in',
  action: 'artifact.restore',
  versioned: 'dated',
  params: { id: idParam<ArtifactId>('The artifact.') },
  answer: ArtifactRepresentation,
  async handle({ context, viewer, language, params: { id } }, work) {
    const account = requireAccount(viewer)
    const { tx } = work
    await lockWithCounters(tx, id)
    const search = { context, tx, viewer, id }
    const { project_id, tracker_id } = await findDeleted(search, { inDeletedTrackers: false }, requireTrackerAdmin)
    await sql`
      with back as (
        update artifact set deleted_on = null, deleted_by = null where id = ${id} returning tracker_id
      ), counted as (
        ${countArtifacts(sql`back`, 1)}
      )
      update artifact_archive set is_restored = true where artifact_id = ${id}`.execute(tx)
    failpoint('artifact.restored')
    await recordRestoration(work, { context, viewer, id }, account)
    await work.change({ object: `artifacts/${id}`, op: 'update', project_id, after: { tracker_id } })
    const after = await findArtifact(context, tx, viewer, id)
    const body = await representArtifact({ context, db: tx, viewer, language }, after, { values: 'collection' })
    return { body, version: versionOf(after.artifact) }
  },
})

interface Restored {
  readonly context: Context
  readonly viewer: Viewer
  readonly id: ArtifactId
}

/** A version that says so. Where the tracker changes meanwhile, it is looked at again. */
async function recordRestoration(
  { tx, origin }: Work,
  { context, viewer, id }: Restored,
  author: AccountId,
): Promise<void> {
  const now = context.clock.now()
  await untilUnchanged(async () => {
    const { artifact, sight } = await findArtifact(context, tx, viewer, id)
    const { tracker } = sight
    requireActiveProject(tracker)
    return writeVersion(tx, artifact, tracker, {
      changes: '{}',
      effects: effectsOf({ tracker, referenceKinds: context.referenceKinds }, artifact.field_values, new Map()),
      comment: { body: 'Restored from the trash.', format: 'text', groups: null, references: [] },
      origin,
      event: { type: 'artifact.restored', payload: { changed: [], has_comment: true } },
      author,
      now,
    })
  })
}
