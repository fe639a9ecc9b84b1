import { idParam, readRoute } from '../../platform/http/route.ts'
import { findTracker, requireTrackerAdmin } from '../find-tracker.ts'
import { trackerVersion } from '../store-tracker.ts'
import type { TrackerId } from '../tracker.ts'
import { loadReferenceNames } from './load-reference-lookup.ts'
import { TrackerDefinition } from './schemas.ts'
import { writeDefinition } from './write-definition.ts'

export const getDefinition = readRoute({
  method: 'GET',
  path: '/trackers/:id/definition',
  operationId: 'getTrackerDefinition',
  summary: 'Show the whole definition of a tracker, without ids.',
  description:
    'Shows the document that would create the same tracker again, for copies and version control. Tracker administrators. Others get 403.',
  access: 'everyone',
  params: { id: idParam<TrackerId>('The tracker.') },
  answer: TrackerDefinition,
  answerOptions: { isAlreadyCut: true },
  versioned: true,
  async handle({ context, viewer, params }) {
    const access = await findTracker(context, context.db, viewer, params.id)
    requireTrackerAdmin(access)
    const { tracker } = access
    const names = await loadReferenceNames(context.db, viewer, tracker)
    return { body: writeDefinition(tracker, names), version: trackerVersion(tracker) }
  },
})
