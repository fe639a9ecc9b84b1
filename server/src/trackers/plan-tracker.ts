import { idParam, readRoute } from '../platform/http/route.ts'
import type { ProjectId } from '../projects/project.ts'
import { findAdministeredProject } from './administered-project.ts'
import { considerDefinition } from './definition/consider-definition.ts'
import { definitionFor, readNewTracker } from './definition/copy-definition.ts'
import { Plan, planChanges } from './definition/plan-changes.ts'
import { NewTracker } from './definition/schemas.ts'

export const planTracker = readRoute({
  method: 'POST',
  path: '/projects/:id/trackers/plan',
  operationId: 'planTracker',
  summary: 'Show what a definition would make, and why it would be refused.',
  access: 'signed_in',
  params: { id: idParam<ProjectId>('The project.') },
  body: NewTracker,
  bodyJudged: 'by_handler',
  answer: Plan,
  async handle({ context, viewer, params, body, language }) {
    const { db } = context
    const { id: project_id } = await findAdministeredProject(db, viewer, params.id)
    const considering = { context, viewer, project_id }
    const outcome = await considerDefinition(
      db,
      await definitionFor(db, readNewTracker(body), considering),
      considering,
    )
    return { body: await planChanges(db, outcome, undefined, { context, language }) }
  },
})
