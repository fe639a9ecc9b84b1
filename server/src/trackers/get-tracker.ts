import { idParam, readRoute } from '../platform/http/route.ts'
import { findTracker } from './find-tracker.ts'
import { representTracker } from './represent-tracker.ts'
import { TrackerFull } from './schemas.ts'
import { trackerVersion } from './store-tracker.ts'
import type { TrackerId } from './tracker.ts'

export const getTracker = readRoute({
  method: 'GET',
  path: '/trackers/:id',
  operationId: 'getTracker',
  summary: 'Show a tracker with its structure.',
  description:
    'Shows fields, values, permissions of the caller, semantics and workflow: everything that a form needs. Everyone who may see the tracker. Hidden and absent objects are 404, for anonymous callers 401.',
  access: 'everyone',
  params: { id: idParam<TrackerId>('The tracker.') },
  answer: TrackerFull,
  versioned: true,
  formats: { sparse: true },
  async handle({ context, viewer, params, language }) {
    const access = await findTracker(context, context.db, viewer, params.id)
    return {
      body: await representTracker(context, context.db, access, language),
      version: trackerVersion(access.tracker),
    }
  },
})
