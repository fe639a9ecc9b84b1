import { sql } from 'kysely'
import { failpoint } from '#failpoint'
import { requireAccount } from '../../accounts/auth-errors.ts'
import { idParam, writeRoute } from '../../platform/http/route.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { WriteContext } from '../../platform/http/write-context.ts'
import type { Context } from '../../platform/operation/context.ts'
import { retryOnConflict } from '../../platform/operation/retry-on-conflict.ts'
import { countArtifacts } from '../../trackers/counter.ts'
import { requireTrackerAdmin } from '../../trackers/find-tracker.ts'
import { requireActiveProject } from '../../trackers/load-tracker.ts'
import { type ArtifactId, artifactVersion } from '../artifact.ts'
import { findArtifact } from '../reading/find-artifact.ts'
import { ArtifactRepresentation, representArtifact } from '../reading/represent-artifact.ts'
import { buildVersion } from '../update-artifact/derived-rows.ts'
import { lockWithCounters } from '../update-artifact/lock-artifacts.ts'
import { appendVersion } from '../update-artifact/version-ctes.ts'
import { findDeleted } from './find-deleted.ts'

export const restoreArtifact = writeRoute({
  method: 'POST',
  path: '/artifacts/:id/restore',
  operationId: 'restoreArtifact',
  summary: 'Restore an artifact from the trash.',
  description:
    'Brings an artifact back from the trash, with values, history and links. Tracker administrators. Artifacts that are not in the trash are 404.',
  access: 'signed_in',
  action: 'artifact.restore',
  notifies: true,
  versioned: 'dated',
  params: { id: idParam<ArtifactId>('The artifact.') },
  answer: ArtifactRepresentation,
  async handle({ context, viewer, language, params: { id } }, work) {
    requireAccount(viewer)
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
    await recordRestoration(work, { context, viewer, id })
    await work.change({ object: `artifacts/${id}`, op: 'update', project_id, after: { tracker_id } })
    const after = await findArtifact(context, tx, viewer, id)
    const body = await representArtifact({ context, db: tx, viewer, language }, after, { values: 'collection' })
    return { body, version: artifactVersion(after.artifact) }
  },
})

interface Restored {
  readonly context: Context
  readonly viewer: Viewer
  readonly id: ArtifactId
}

const COMMENT = { body: 'Restored from the trash.', format: 'text', groups: null, references: [] } as const

/** Adds a version that records the restoration; retries if the tracker changes meanwhile. */
async function recordRestoration({ tx, origin }: WriteContext, { context, viewer, id }: Restored): Promise<void> {
  const now = context.clock.now()
  await retryOnConflict(async () => {
    const found = await findArtifact(context, tx, viewer, id)
    const { tracker } = found.access
    requireActiveProject(tracker)
    const draft = { changes: new Map(), comment: COMMENT, transition: undefined }
    const version = buildVersion({ context, viewer, now }, { access: found.access, found }, draft, origin)
    const event = { ...version.event, type: 'artifact.restored' }
    return appendVersion(tx, found.artifact, tracker, { ...version, event })
  })
}
