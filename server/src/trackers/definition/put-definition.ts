import { isDeepStrictEqual } from 'node:util'
import { Type } from 'typebox'
import { idParam, writeRoute } from '../../platform/http/route.ts'
import { requireVersion } from '../../platform/wire/etag.ts'
import { findTrackerToRedefine } from '../find-tracker-to-redefine.ts'
import { saveTracker, trackerVersion } from '../store-tracker.ts'
import type { Tracker, TrackerId } from '../tracker.ts'
import { acceptDefinition } from './evaluate-definition.ts'
import { validateDocument } from './validate-document.ts'
import { loadReferenceNames } from './load-reference-lookup.ts'
import { DefinitionPlan, planChanges } from './plan-changes.ts'
import { DefinitionBody, TrackerDefinition } from './schemas.ts'
import { writeDefinition } from './write-definition.ts'

export const putDefinition = writeRoute({
  method: 'PUT',
  path: '/trackers/:id/definition',
  operationId: 'putTrackerDefinition',
  summary: 'Replace the definition of a tracker or, with `dry_run`, show the planned changes.',
  description:
    'Makes the tracker what the document says; elements are matched by name, values by key. Tracker administrators. A document with problems is 400 and lists all of them; type changes that would lose values are refused. A dry run is refused as the write would be.',
  access: 'signed_in',
  action: 'tracker.definition',
  notifies: true,
  params: { id: idParam<TrackerId>('The tracker.') },
  query: {
    prune: Type.Optional(
      Type.Boolean({ description: 'Delete parts that the definition omits if no value was ever stored in them.' }),
    ),
    dry_run: Type.Optional(Type.Boolean({ description: 'Return the planned changes and write nothing.' })),
  },
  body: DefinitionBody,
  bodyRules: { isValidatedByHandler: true },
  dryRun: { isOwnFormat: true },
  answer: Type.Union([TrackerDefinition, DefinitionPlan]),
  answerOptions: { isAlreadyCut: true },
  versioned: true,
  // The schema is large; compile it before the first request needs it.
  prepare: async ({ body }) => validateDocument(body),
  async handle({ context, viewer, params, query, headers, language }, work, judged) {
    const { tracker } = await findTrackerToRedefine(context, work.tx, viewer, params.id)
    requireVersion(headers['if-match'], trackerVersion(tracker))
    const considering = {
      context,
      viewer,
      project_id: tracker.project_id,
      stored: tracker,
      prune: query.prune ?? false,
    }
    const considered = await acceptDefinition(work.tx, judged, considering)
    if (query.dry_run === true)
      return { body: await planChanges(work.tx, { problems: [], considered }, tracker, { context, language }) }

    const { read, build } = considered
    const after: Tracker = { ...tracker, ...(await build(work.tx, tracker)), ...read.named }
    const [was, is] = [
      writeDefinition(tracker, await loadReferenceNames(work.tx, viewer, tracker)),
      writeDefinition(after, await loadReferenceNames(work.tx, viewer, after)),
    ]
    // An unchanged document does not create a version.
    if (isDeepStrictEqual(was, is)) return { body: was, version: trackerVersion(tracker) }
    const saved = await saveTracker(work, tracker, after, { now: context.clock.now() })
    // Return the document as stored, so that the ETag matches it.
    const stored = await context.trackers.now(work.tx, saved.id)
    if (!stored) throw new TypeError('It was just written.')
    await context.followHooks(context, work, stored)
    await context.followIndex(work.tx, tracker, stored)
    const names = await loadReferenceNames(work.tx, viewer, stored)
    return { body: writeDefinition(stored, names), version: trackerVersion(saved) }
  },
})
