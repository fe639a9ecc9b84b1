import type { Tracker } from '@waypost/sdk/api'
import { ChartColumn, Hash, Rows3, TextIcon } from 'lucide-react'
import { chartFields } from '../charts/chart-fields.ts'
import { LongTextField, SelectField, TextField } from '../design/field.tsx'
import { RadioCards } from '../design/radio-cards.tsx'
import { text } from './messages.ts'
import { CHART_TIMES, type WidgetDraft } from './widget-draft.ts'

const ICONS = { chart: ChartColumn, count: Hash, report: Rows3, note: TextIcon } as const

interface TypeProps {
  readonly types: readonly WidgetDraft['type'][]
  readonly draft: WidgetDraft
  readonly onChange: (next: WidgetDraft) => void
}

/** How a report is shown. */
export function WidgetTypes({ types, draft, onChange }: TypeProps) {
  return (
    <RadioCards
      label={text('dashboard.show_as')}
      name="widget-type"
      cards={types.map((value) => ({
        value,
        label: text(`dashboard.type.${value}`),
        hint: text(`dashboard.type.${value}.hint`),
        icon: ICONS[value],
      }))}
      chosen={draft.type}
      onChoose={(type) => onChange({ ...draft, type })}
    />
  )
}

interface Props {
  /** The tracker of the report; undefined while it is not known. */
  readonly tracker: Tracker | undefined
  readonly draft: WidgetDraft
  readonly error: string | undefined
  readonly onChange: (next: WidgetDraft) => void
}

/** The fields of one type of widget, and the title. */
export function WidgetFields({ tracker, draft, error, onChange }: Props) {
  const { type, title, by, time, text: markdown } = draft
  return (
    <>
      {type === 'chart' && tracker && (
        <>
          <SelectField
            label={text('dashboard.by')}
            value={by}
            options={[
              { value: '', label: text('dashboard.by_status') },
              ...chartFields(tracker).map(({ field_id, label }) => ({ value: String(field_id), label })),
            ]}
            onChange={(next) => onChange({ ...draft, by: next })}
          />
          <SelectField
            label={text('charts.span')}
            value={time}
            options={CHART_TIMES.map((value) => ({
              value,
              label: value === 'now' ? text('dashboard.now') : text(`charts.span.${value}`),
            }))}
            onChange={(next) => onChange({ ...draft, time: next })}
          />
        </>
      )}
      {type === 'note' && (
        <LongTextField
          label={text('dashboard.text')}
          hint={text('dashboard.text.hint')}
          required
          maxLength={10_000}
          value={markdown}
          onChange={({ target }) => onChange({ ...draft, text: target.value })}
        />
      )}
      <TextField
        label={text('dashboard.title')}
        hint={type === 'note' ? undefined : text('dashboard.title.hint')}
        error={error}
        maxLength={255}
        value={title}
        onChange={({ target }) => onChange({ ...draft, title: target.value })}
      />
    </>
  )
}
