import { idParam, readRoute } from '../platform/http/route.ts'
import type { ProjectId } from '../projects/project.ts'
import { findProjectToAdministerTrackers } from './administered-project.ts'
import { evaluateDefinition } from './definition/evaluate-definition.ts'
import { definitionFor, readNewTracker } from './definition/copy-definition.ts'
import { DefinitionPlan, planChanges } from './definition/plan-changes.ts'
import { NewTracker } from './definition/schemas.ts'

export const planTracker = readRoute({
  method: 'POST',
  path: '/projects/:id/trackers/plan',
  operationId: 'planTracker',
  summary: 'Show the tracker that a definition would create, and the reasons why it would be refused.',
  description:
    'Checks a definition without writing anything: the plan lists what would be created, and every problem. Project administrators. Problems are part of the answer, which is 200.',
  access: 'signed_in',
  params: { id: idParam<ProjectId>('The project.') },
  body: NewTracker,
  bodyRules: { isValidatedByHandler: true },
  answer: DefinitionPlan,
  async handle({ context, viewer, params, body, language }) {
    const { db } = context
    const { id: project_id } = await findProjectToAdministerTrackers(db, viewer, params.id)
    const considering = { context, viewer, project_id }
    const outcome = await evaluateDefinition(
      db,
      await definitionFor(db, readNewTracker(body), { ...considering, language }),
      considering,
    )
    return { body: await planChanges(db, outcome, undefined, { context, language }) }
  },
})
