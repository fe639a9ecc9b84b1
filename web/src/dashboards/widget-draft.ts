import type { Widget, WidgetInput } from '@waypost/sdk/api'

export const WIDGET_TYPES = ['chart', 'count', 'report', 'note'] as const satisfies readonly Widget['type'][]
export const CHART_TIMES = ['now', 'month', 'quarter', 'year'] as const

/** A widget while it is described in a form. */
export interface WidgetDraft {
  readonly type: Widget['type']
  readonly title: string
  /** The id of the field that a chart counts by; empty: the status. */
  readonly by: string
  readonly time: (typeof CHART_TIMES)[number]
  readonly text: string
}

export const NEW_DRAFT: WidgetDraft = { type: 'chart', title: '', by: '', time: 'now', text: '' }

export function toNewWidget({ type, title, by, time, text }: WidgetDraft, report: number | undefined): WidgetInput {
  return {
    type,
    ...(title.trim() !== '' && { title }),
    ...(type === 'note' ? { text } : report !== undefined && { report_id: report }),
    ...(type === 'chart' && by !== '' && { by }),
    ...(type === 'chart' && time !== 'now' && { span: time }),
  }
}
