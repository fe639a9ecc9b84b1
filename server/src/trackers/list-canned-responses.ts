import { Type } from 'typebox'
import { requireAccount } from '../accounts/auth-errors.ts'
import { cutPage } from '../platform/http/pages.ts'
import { idParam, readRoute } from '../platform/http/route.ts'
import { findTracker } from './find-tracker.ts'
import type { TrackerId } from './tracker.ts'

const CannedResponse = Type.Object({ title: Type.String(), body: Type.String() }, { title: 'CannedResponse' })

export const listCannedResponses = readRoute({
  method: 'GET',
  path: '/trackers/:id/canned_responses',
  operationId: 'listCannedResponses',
  summary: 'List the prepared comments of a tracker.',
  description:
    'Lists texts that people insert into comments. Everyone who is signed in and sees the tracker. Others get 401 or 404.',
  access: 'signed_in',
  params: { id: idParam<TrackerId>('The tracker.') },
  pages: { default: 100, min: 0, max: 1000 },
  answer: Type.Array(CannedResponse),
  async handle({ context, viewer, params, page: { after, offset, limit } }) {
    requireAccount(viewer)
    const { tracker } = await findTracker(context, context.db, viewer, params.id)
    const placed = tracker.canned_responses.map((response, at) => ({ ...response, at }))
    const from = after ? Number(after[0]) + 1 : offset
    const { rows, next, placeAt } = cutPage(placed.slice(from), limit, ({ at }) => [at])
    return { body: rows.map(({ title, body }) => ({ title, body })), size: placed.length, next, placeAt }
  },
})
