import { queryOptions } from '@tanstack/react-query'
import { type Answer, type Failure, Refusal } from '@waypost/sdk/answer'
import type { Dashboard, Widget, WidgetInput } from '@waypost/sdk/api'
import { sizeOf } from '@waypost/sdk'
import { api } from '../api.ts'
import { queryClient } from '../query-client.ts'
import { isArtifact } from '../trackers/is-artifact.ts'

/** A project, by id, or the viewer: each has one dashboard. */
export type DashboardHolder = { readonly project: number } | 'self'

/** The widgets, and the version that a change names. */
export const dashboardQuery = (owner: DashboardHolder) =>
  queryOptions({
    queryKey: ['dashboards', owner],
    queryFn: async () => {
      const answer = await readDashboard(owner)
      if (!answer.ok) throw new Refusal(answer)
      return { widgets: answer.body.widgets, etag: answer.etag }
    },
  })

function readDashboard(owner: DashboardHolder): Promise<Answer<Dashboard>> {
  return owner === 'self'
    ? api.call('GET /users/self/dashboard')
    : api.call('GET /projects/{id}/dashboard', { path: { id: owner.project } })
}

function writeDashboard(owner: DashboardHolder, widgets: WidgetInput[], etag: string | undefined) {
  const input = { body: { widgets }, ...(etag !== undefined && { ifMatch: etag }) }
  return owner === 'self'
    ? api.call('PUT /users/self/dashboard', input)
    : api.call('PUT /projects/{id}/dashboard', { ...input, path: { id: owner.project } })
}

/** Writes the widgets over the version that is shown. Returns the refusal, if any. */
export async function saveWidgets(
  owner: DashboardHolder,
  widgets: readonly WidgetInput[],
): Promise<Failure | undefined> {
  const query = dashboardQuery(owner)
  const { etag } = await queryClient.ensureQueryData(query)
  const answer = await writeDashboard(owner, [...widgets], etag)
  if (answer.ok) queryClient.setQueryData(query.queryKey, { widgets: answer.body.widgets, etag: answer.etag })
  // On a version conflict the next attempt needs the current version.
  else await queryClient.invalidateQueries({ queryKey: query.queryKey })
  return answer.ok ? undefined : answer
}

/** Adds a widget behind the current ones. */
export async function appendWidget(owner: DashboardHolder, widget: WidgetInput): Promise<Failure | undefined> {
  const current = await readDashboard(owner)
  if (!current.ok) return current
  const { widgets } = current.body
  queryClient.setQueryData(dashboardQuery(owner).queryKey, { widgets, etag: current.etag })
  return saveWidgets(owner, [...widgets.map(toWidgetInput), widget])
}

/** The members that a write takes. */
export function toWidgetInput({ type, title, report_id, by, span, text }: Widget): WidgetInput {
  return {
    type,
    ...(title !== null && { title }),
    ...(report_id !== null && { report_id }),
    ...(by !== null && { by }),
    ...(span !== null && { span }),
    ...(text !== null && { text }),
  }
}

/** The first artifacts of a report that the viewer may see, and the number of all of them. */
/** `shown`: the names of the fields whose values are shown. */
export const reportRowsQuery = (report: number, shown: readonly string[], limit: number) =>
  queryOptions({
    queryKey: ['reports', report, 'rows', shown, limit],
    queryFn: async () => {
      const values = shown.map((name) => `values.${name}`)
      const query = { fields: ['id,xref,title,full_status,is_open,assignees', ...values].join(), limit }
      const answer = await api.call('GET /tracker_reports/{id}/artifacts', { path: { id: report }, query })
      if (!answer.ok) throw new Refusal(answer)
      return { rows: answer.body.filter(isArtifact), size: sizeOf(answer) }
    },
  })
