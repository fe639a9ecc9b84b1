import { idParam, writeRoute } from '../platform/http/route.ts'
import type { ProjectId } from '../projects/project.ts'
import { findProjectToAdministerTrackers } from './administered-project.ts'
import { acceptDefinition } from './definition/evaluate-definition.ts'
import { definitionFor, readNewTracker } from './definition/copy-definition.ts'
import { NewTracker } from './definition/schemas.ts'
import { findTracker } from './find-tracker.ts'
import { representTracker } from './represent-tracker.ts'
import { TrackerFull } from './schemas.ts'
import { insertTracker, lockTrackersOf, trackerVersion } from './store-tracker.ts'

export const createTracker = writeRoute({
  method: 'POST',
  path: '/projects/:id/trackers',
  operationId: 'createTracker',
  summary: 'Create a tracker from a definition, from a template, or as a copy of another one.',
  description:
    'Creates a tracker from one document, from a `template` by its name with labels in the language of the caller, or copies the structure of another tracker with `copy_from`. Project administrators. A document with problems is 400 and lists all of them with their JSON Pointers.',
  access: 'signed_in',
  action: 'tracker.create',
  notifies: true,
  params: { id: idParam<ProjectId>('The project.') },
  body: NewTracker,
  bodyRules: { isValidatedByHandler: true },
  answer: TrackerFull,
  status: 201,
  versioned: true,
  // The schema is large; compile it before the first request needs it.
  prepare: async ({ body }) => readNewTracker(body),
  async handle({ context, viewer, params, language }, work, given) {
    const { tx } = work
    const { id: project_id } = await findProjectToAdministerTrackers(tx, viewer, params.id)
    await lockTrackersOf(tx, project_id)
    const considering = { context, viewer, project_id }
    const document = await definitionFor(tx, given, { ...considering, language })
    const { read, build } = await acceptDefinition(tx, document, considering)
    const made = await insertTracker(
      work,
      project_id,
      read.named,
      (id) => build(tx, { id, project_id }),
      context.clock.now(),
    )
    const access = await findTracker(context, tx, viewer, made.id)
    await context.followHooks(context, work, access.tracker)
    return {
      body: await representTracker(context, tx, access, language),
      location: `trackers/${made.id}`,
      version: trackerVersion(made),
    }
  },
})
