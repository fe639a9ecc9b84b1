import { idParam, readRoute } from '../../platform/http/route.ts'
import { findProject } from '../../projects/find-project.ts'
import type { ProjectId } from '../../projects/project.ts'
import { DashboardRepresentation } from './dashboard.ts'
import { representDashboard } from './represent-dashboard.ts'
import { dashboardVersion, loadDashboard } from './store-dashboard.ts'

export const getProjectDashboard = readRoute({
  method: 'GET',
  path: '/projects/:id/dashboard',
  operationId: 'getProjectDashboard',
  summary: 'Show the dashboard of a project.',
  description:
    'Lists the pinned charts, counts, reports and texts of a project, in their order; it is empty until an administrator pins something. Everyone who may see the project. Reports that the caller may not see are null, as deleted ones, and their data is read from the reports themselves.',
  access: 'everyone',
  params: { id: idParam<ProjectId>('The project.') },
  answer: DashboardRepresentation,
  versioned: true,
  async handle({ context, viewer, params }) {
    const { id: project_id } = await findProject(context.db, viewer, params.id)
    const dashboard = await loadDashboard(context.db, { project_id })
    return {
      body: await representDashboard(context, context.db, viewer, dashboard),
      version: dashboardVersion(dashboard),
    }
  },
})
