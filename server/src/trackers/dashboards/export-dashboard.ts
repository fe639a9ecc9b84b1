import type { ExportSource } from '../../accounts/exports/export-source.ts'
import { loadDashboard } from './store-dashboard.ts'

/** The widgets that a person has pinned. */
export const dashboardExport: ExportSource = {
  name: 'dashboard',
  read: async (tx, _context, { account_id }) => (await loadDashboard(tx, { account_id })).widgets,
}
