import { idParam, readRoute } from '../../platform/http/route.ts'
import { findTracker, requireTrackerAdmin } from '../find-tracker.ts'
import { versionOf } from '../store-tracker.ts'
import type { TrackerId } from '../tracker.ts'
import { loadNames } from './load-world.ts'
import { TrackerDefinition } from './schemas.ts'
import { writeDefinition } from './write-definition.ts'

export const getDefinition = readRoute({
  method: 'GET',
  path: '/trackers/:id/definition',
  operationId: 'getTrackerDefinition',
  summary: 'Show the whole definition of a tracker, without ids.',
  access: 'everyone',
  params: { id: idParam<TrackerId>('The tracker.') },
  answer: TrackerDefinition,
  answerAsItIs: true,
  versioned: true,
  async handle({ context, viewer, params }) {
    const sight = await findTracker(context, context.db, viewer, params.id)
    requireTrackerAdmin(sight)
    const { tracker } = sight
    const names = await loadNames(context.db, viewer, tracker)
    return { body: writeDefinition(tracker, names), version: versionOf(tracker) }
  },
})
