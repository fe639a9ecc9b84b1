import { requireAccount } from '../../accounts/auth-errors.ts'
import { writeRoute } from '../../platform/http/route.ts'
import { requireFittingMembers } from './accept-widgets.ts'
import { DashboardInput, DashboardRepresentation } from './dashboard.ts'
import { writeDashboard } from './write-dashboard.ts'

export const setOwnDashboard = writeRoute({
  method: 'PUT',
  path: '/users/self/dashboard',
  operationId: 'setOwnDashboard',
  summary: 'Replace the widgets of your dashboard.',
  description:
    'Replaces the charts, counts, reports and texts that the caller has pinned; others do not see them. Every signed-in account, for itself. A stale `If-Match` is 412; a report that the caller may not see is refused, unless it is on the dashboard already.',
  access: 'signed_in',
  action: null,
  body: DashboardInput,
  bodyRules: { check: requireFittingMembers },
  answer: DashboardRepresentation,
  versioned: true,
  async handle(call, work) {
    return writeDashboard(call, work, { account_id: requireAccount(call.viewer) })
  },
})
