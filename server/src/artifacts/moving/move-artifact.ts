import { Type } from 'typebox'
import { requireAccount } from '../../accounts/auth-errors.ts'
import { isId } from '../../platform/database/ids.ts'
import { idParam, writeRoute } from '../../platform/http/route.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { findTracker } from '../../trackers/find-tracker.ts'
import { requireActiveProject } from '../../trackers/load-tracker.ts'
import type { TrackerAccess } from '../../trackers/tracker-access.ts'
import type { TrackerId } from '../../trackers/tracker.ts'
import type { ArtifactId } from '../artifact.ts'
import { findArtifact } from '../reading/find-artifact.ts'
import { requireCurrentVersion } from '../update-artifact/load.ts'
import { lockWithCounters } from '../update-artifact/lock-artifacts.ts'
import { loadMigrating } from './load-migrating.ts'
import { MigratedFieldName, type Migration, migrateValues, nameFields } from './migrate-values.ts'
import { moveTo } from './move-to.ts'

const Fields = Type.Array(MigratedFieldName)

export const moveArtifact = writeRoute({
  method: 'PATCH',
  path: '/artifacts/:id',
  operationId: 'moveArtifact',
  summary: 'Move an artifact to another tracker.',
  description:
    'Moves an artifact; fields go by name and type. With `dry_run` it answers what is kept and what is lost. Administrators of both trackers. Administrators of one tracker only, and moves to the same tracker, get 400.',
  access: 'signed_in',
  action: 'artifact.move',
  notifies: true,
  versioned: 'dated',
  dryRun: { isOwnFormat: true },
  params: { id: idParam<ArtifactId>('The artifact.') },
  body: Type.Object({
    move: Type.Object({
      tracker_id: Type.Integer({ description: 'The target tracker.' }),
      dry_run: Type.Optional(Type.Boolean({ description: 'Only report how its fields would migrate.' })),
      should_populate_feedback_on_success: Type.Optional(Type.Boolean({ description: 'Without effect.' })),
    }),
  }),
  answer: Type.Object({
    dry_run: Type.Union([
      Type.Object({
        fields: Type.Object({
          fields_migrated: Fields,
          fields_not_migrated: Fields,
          fields_partially_migrated: Fields,
        }),
      }),
      Type.Null(),
    ]),
  }),
  async handle({ context, viewer, language, params: { id }, body: { move }, headers }, work) {
    requireAccount(viewer)
    const { tx } = work
    await lockWithCounters(tx, id, isId<TrackerId>(move.tracker_id) ? [move.tracker_id] : [])
    const found = await findArtifact(context, tx, viewer, id)
    const { artifact, access: from } = found
    requireMover(from)
    requireCurrentVersion(found, headers)
    if (!isId<TrackerId>(move.tracker_id)) throw new ApiError('not_found')
    const to = await findTracker(context, tx, viewer, move.tracker_id)
    requireMover(to)
    requireMovable(from, to)

    const migrating = await loadMigrating(context, tx, artifact.field_values, from.tracker, to.tracker)
    const migration = migrateValues(artifact.field_values, from.tracker.elements, to.tracker, migrating)
    if (migration.whole.length + migration.partial.length === 0) throw refusal('move_nothing')
    if (move.dry_run || work.isDryRun) return { body: { dry_run: { fields: report(migration) } } }
    const author = { context, viewer, language, db: tx, now: context.clock.now() }
    await moveTo(work, author, artifact, { from, to, migration })
    return { body: { dry_run: null } }
  },
})

/** 400 instead of 403, for compatibility. */
function requireMover({ administers }: TrackerAccess): void {
  if (!administers) throw refusal('move_not_admin')
}

function requireMovable({ tracker: from }: TrackerAccess, { tracker: to }: TrackerAccess): void {
  if (from.id === to.id) throw refusal('move_same_tracker')
  if (!from.settings.allow_move || !to.settings.allow_move) throw refusal('move_disabled')
  requireActiveProject(from)
  requireActiveProject(to)
}

function refusal(cause: 'move_not_admin' | 'move_same_tracker' | 'move_disabled' | 'move_nothing'): ApiError {
  return new ApiError('rule_violated', { cause })
}

function report({ whole, partial, none }: Migration) {
  return {
    fields_migrated: nameFields(whole),
    fields_not_migrated: nameFields(none),
    fields_partially_migrated: nameFields(partial),
  }
}
