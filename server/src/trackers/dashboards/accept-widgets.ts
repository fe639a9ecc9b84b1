import type { Tx } from '../../platform/database/db.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import type { Context } from '../../platform/operation/context.ts'
import { findVisibleReports } from '../reports/find-visible-reports.ts'
import type { DashboardInput, Widget } from './dashboard.ts'

type WidgetInput = DashboardInput['widgets'][number]

const DEFAULT_KEY = '@status'

/** Each type of widget has its own members. */
export function requireFittingMembers({ widgets }: DashboardInput): void {
  for (const [at, widget] of widgets.entries()) {
    const isNote = widget.type === 'note'
    const needed = isNote ? 'text' : 'report_id'
    const foreign: readonly (keyof WidgetInput)[] = isNote
      ? ['report_id', 'by', 'span']
      : ['text', ...(widget.type === 'chart' ? [] : (['by', 'span'] as const))]
    if (widget[needed] === undefined)
      throw new ApiError('parameter_required', { path: `widgets[${at}].${needed}`, rule: 'required' })
    for (const name of foreign)
      if (widget[name] !== undefined) throw new ApiError('parameter_conflict', { path: `widgets[${at}].${name}` })
  }
}

/**
 * The widgets to store. A report that is new here must be visible to the writer; others may be hidden from them, because
 * another person added them.
 */
export async function acceptWidgets(
  context: Context,
  tx: Tx,
  viewer: Viewer,
  given: readonly WidgetInput[],
  before: readonly Widget[],
): Promise<Widget[]> {
  const known = new Set(before.map(({ report_id }) => report_id))
  const added = given.flatMap(({ report_id }) => (report_id === undefined || known.has(report_id) ? [] : [report_id]))
  const visible = await findVisibleReports(context, tx, viewer, added)
  const hidden = given.findIndex(({ report_id = 0 }) => added.includes(report_id) && !visible.has(report_id))
  if (hidden >= 0) throw new ApiError('reference_unknown', { path: `widgets[${hidden}].report_id`, rule: 'exists' })
  return given.map(({ type, title = '', report_id, by, span, text }) => ({
    type,
    title: title === '' ? null : title,
    report_id: report_id ?? null,
    by: by ?? (type === 'chart' ? DEFAULT_KEY : null),
    span: span ?? null,
    text: text ?? null,
  }))
}
