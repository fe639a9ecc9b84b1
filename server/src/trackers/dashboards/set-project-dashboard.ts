import { idParam, writeRoute } from '../../platform/http/route.ts'
import type { ProjectId } from '../../projects/project.ts'
import { findWritableProject } from '../../projects/writable-project.ts'
import { requireFittingMembers } from './accept-widgets.ts'
import { DashboardInput, DashboardRepresentation } from './dashboard.ts'
import { writeDashboard } from './write-dashboard.ts'

export const setProjectDashboard = writeRoute({
  method: 'PUT',
  path: '/projects/:id/dashboard',
  operationId: 'setProjectDashboard',
  summary: 'Replace the widgets of the dashboard of a project.',
  description:
    'Replaces the pinned charts, counts, reports and texts that everyone in the project sees. Project administrators. A stale `If-Match` is 412; a report that the caller may not see is refused, unless it is on the dashboard already.',
  access: 'signed_in',
  action: 'project.dashboard',
  params: { id: idParam<ProjectId>('The project.') },
  body: DashboardInput,
  bodyRules: { check: requireFittingMembers },
  answer: DashboardRepresentation,
  versioned: true,
  async handle(call, work) {
    const { id: project_id } = await findWritableProject(work.tx, call.viewer, call.params.id)
    return writeDashboard(call, work, { project_id })
  },
})
