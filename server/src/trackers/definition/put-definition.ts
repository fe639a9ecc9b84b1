import { isDeepStrictEqual } from 'node:util'
import { Type } from 'typebox'
import { idParam, writeRoute } from '../../platform/http/route.ts'
import { requireVersion } from '../../platform/wire/etag.ts'
import { findTrackerToChange } from '../find-tracker-to-change.ts'
import { saveTracker, versionOf } from '../store-tracker.ts'
import type { Tracker, TrackerId } from '../tracker.ts'
import { acceptDefinition, considerDefinition } from './consider-definition.ts'
import { judgeDocument } from './judge-document.ts'
import { loadNames } from './load-world.ts'
import { Plan, planChanges } from './plan-changes.ts'
import { DefinitionBody, TrackerDefinition } from './schemas.ts'
import { writeDefinition } from './write-definition.ts'

export const putDefinition = writeRoute({
  method: 'PUT',
  path: '/trackers/:id/definition',
  operationId: 'putTrackerDefinition',
  summary: 'Make a tracker what a definition says, or with `dry_run` show the plan of it.',
  access: 'signed_in',
  action: 'tracker.definition',
  params: { id: idParam<TrackerId>('The tracker.') },
  query: {
    prune: Type.Optional(
      Type.Boolean({ description: 'Remove what the definition leaves out, where nothing was ever stored in it.' }),
    ),
    dry_run: Type.Optional(Type.Boolean({ description: 'Answer with the plan, and write nothing.' })),
  },
  body: DefinitionBody,
  bodyJudged: 'by_handler',
  ownDryRun: true,
  answer: Type.Union([TrackerDefinition, Plan]),
  answerAsItIs: true,
  versioned: true,
  // The schema is large: nobody should wait for it to be compiled.
  prepare: async ({ body }) => judgeDocument(body),
  async handle({ context, viewer, params, query, headers, language }, work, judged) {
    const { tracker } = await findTrackerToChange(context, work.tx, viewer, params.id)
    requireVersion(headers['if-match'], versionOf(tracker))
    const considering = {
      context,
      viewer,
      project_id: tracker.project_id,
      stored: tracker,
      prune: query.prune ?? false,
    }
    if (query.dry_run === true) {
      const outcome = await considerDefinition(work.tx, judged, considering)
      return { body: await planChanges(work.tx, outcome, tracker, { context, language }) }
    }

    const { read, build } = await acceptDefinition(work.tx, judged, considering)
    const after: Tracker = { ...tracker, ...(await build(work.tx, tracker)), ...read.named }
    const [was, is] = [
      writeDefinition(tracker, await loadNames(work.tx, viewer, tracker)),
      writeDefinition(after, await loadNames(work.tx, viewer, after)),
    ]
    // Putting back what was got is no new version.
    if (isDeepStrictEqual(was, is)) return { body: was, version: versionOf(tracker) }
    const saved = await saveTracker(work, tracker, after, { now: context.clock.now() })
    // As it is stored, to the last byte: the Etag tells.
    const stored = await context.trackers.now(work.tx, saved.id)
    if (!stored) throw new TypeError('It was just written.')
    await context.followHooks(context, work, stored)
    await context.followIndex(work.tx, tracker, stored)
    const names = await loadNames(work.tx, viewer, stored)
    return { body: writeDefinition(stored, names), version: versionOf(saved) }
  },
})
