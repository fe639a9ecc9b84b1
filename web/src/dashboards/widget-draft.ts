import type { Tracker, TrackerField, Widget, WidgetInput } from '@waypost/sdk/api'
import { fieldType } from '../field-types/field-types.ts'

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

/** The fields that a chart can count by: lists, of values or of people. */
export function chartFields({ fields }: Tracker): readonly TrackerField[] {
  return fields.filter((field) => fieldType(field).list !== undefined)
}

/** The field that a chart counts by. */
export function findChartField({ fields, semantics }: Tracker, by: string): TrackerField | undefined {
  const meant = { '@status': semantics.status, '@assigned_to': semantics.contributor }[by]
  if (by.startsWith('@')) return fields.find(({ field_id }) => field_id === meant?.field_id)
  return fields.find(({ field_id, name }) => String(field_id) === by || name === by)
}
