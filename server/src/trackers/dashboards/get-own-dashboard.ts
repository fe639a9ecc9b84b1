import { requireAccount } from '../../accounts/auth-errors.ts'
import { readRoute } from '../../platform/http/route.ts'
import { DashboardRepresentation } from './dashboard.ts'
import { representDashboard } from './represent-dashboard.ts'
import { dashboardVersion, loadDashboard } from './store-dashboard.ts'

export const getOwnDashboard = readRoute({
  method: 'GET',
  path: '/users/self/dashboard',
  operationId: 'getOwnDashboard',
  summary: 'Show your dashboard.',
  description:
    'Lists the charts, counts, reports and texts that the caller has pinned, in their order. Every signed-in account, for itself. Reports that the caller may no longer see are null, as deleted ones.',
  access: 'signed_in',
  answer: DashboardRepresentation,
  versioned: true,
  async handle({ context, viewer }) {
    const dashboard = await loadDashboard(context.db, { account_id: requireAccount(viewer) })
    return {
      body: await representDashboard(context, context.db, viewer, dashboard),
      version: dashboardVersion(dashboard),
    }
  },
})
