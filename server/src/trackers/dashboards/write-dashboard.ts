import type { IncomingHttpHeaders } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { WriteContext } from '../../platform/http/write-context.ts'
import type { Context } from '../../platform/operation/context.ts'
import { requireVersion } from '../../platform/wire/etag.ts'
import { acceptWidgets } from './accept-widgets.ts'
import type { DashboardInput } from './dashboard.ts'
import { representDashboard } from './represent-dashboard.ts'
import {
  dashboardUri,
  dashboardVersion,
  lockDashboard,
  storeDashboard,
  type DashboardOwner,
} from './store-dashboard.ts'

interface WriteCall {
  readonly context: Context
  readonly viewer: Viewer
  readonly body: DashboardInput
  readonly headers: IncomingHttpHeaders
}

/** Replaces the widgets of a dashboard; the caller has checked who may. */
export async function writeDashboard(
  { context, viewer, body, headers }: WriteCall,
  work: WriteContext,
  owner: DashboardOwner,
) {
  const { tx } = work
  const before = await lockDashboard(tx, owner)
  requireVersion(headers['if-match'], dashboardVersion(before))
  const widgets = await acceptWidgets(context, tx, viewer, body.widgets, before.widgets)
  const isChanged = !isDeepStrictEqual(widgets, before.widgets)
  const after = { owner, version: before.version + (isChanged ? 1 : 0), widgets }
  if (isChanged) {
    await storeDashboard(tx, after)
    await work.change({
      object: dashboardUri(owner),
      op: 'update',
      ...('project_id' in owner && owner),
      before: { widgets: before.widgets },
      after: { widgets },
    })
  }
  return { body: await representDashboard(context, tx, viewer, after), version: dashboardVersion(after) }
}
