import type { Route } from '../../platform/http/route.ts'
import { getOwnDashboard } from './get-own-dashboard.ts'
import { getProjectDashboard } from './get-project-dashboard.ts'
import { setOwnDashboard } from './set-own-dashboard.ts'
import { setProjectDashboard } from './set-project-dashboard.ts'

export const DASHBOARD_ROUTES: readonly Route[] = [
  getProjectDashboard,
  setProjectDashboard,
  getOwnDashboard,
  setOwnDashboard,
]
