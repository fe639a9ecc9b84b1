import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../design/button.tsx'
import { Dialog, DialogActions } from '../design/dialog.tsx'
import { SelectField } from '../design/field.tsx'
import { refusalText } from '../design/refusal.tsx'
import { myProjectsQuery, trackersQuery } from '../projects/projects-queries.ts'
import { reportsQuery } from '../trackers/reports-query.ts'
import toolbar from '../trackers/toolbar.module.css'
import { trackerQuery } from '../trackers/tracker-query.ts'
import { appendWidget, type DashboardHolder } from './dashboard-queries.ts'
import { text } from './messages.ts'
import { NEW_DRAFT, toNewWidget, WIDGET_TYPES } from './widget-draft.ts'
import { WidgetFields, WidgetTypes } from './widget-fields.tsx'

interface Props {
  readonly owner: DashboardHolder
  readonly onClose: () => void
}

const NONE = 0

/** Adds a text, or a report of a tracker as a chart, a number or a list. */
export function AddWidget({ owner, onClose }: Props) {
  const [draft, setDraft] = useState(NEW_DRAFT)
  const [chosen, setChosen] = useState({
    project: owner === 'self' ? NONE : owner.project,
    tracker: NONE,
    report: NONE,
  })
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const { data: tracker } = useQuery({ ...trackerQuery(chosen.tracker), enabled: chosen.tracker !== NONE })
  const needsReport = draft.type !== 'note'
  const save = async () => {
    if (needsReport && chosen.report === NONE) return setProblem(text('dashboard.choose_report'))
    setBusy(true)
    const refused = await appendWidget(owner, toNewWidget(draft, chosen.report))
    setBusy(false)
    return refused ? setProblem(refusalText(refused)) : onClose()
  }
  return (
    <Dialog title={text('dashboard.add')} onClose={onClose}>
      <form
        className={toolbar['form']}
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <WidgetTypes types={WIDGET_TYPES} draft={draft} onChange={setDraft} />
        {needsReport && (
          <>
            {owner === 'self' && (
              <ProjectChoice
                value={chosen.project}
                onChange={(project) => setChosen({ project, tracker: NONE, report: NONE })}
              />
            )}
            <TrackerChoice
              project={chosen.project}
              value={chosen.tracker}
              onChange={(next) => setChosen({ ...chosen, tracker: next, report: NONE })}
            />
            <ReportChoice
              tracker={chosen.tracker}
              value={chosen.report}
              onChange={(report) => setChosen({ ...chosen, report })}
            />
          </>
        )}
        <WidgetFields tracker={tracker} draft={draft} error={problem} onChange={setDraft} />
        <DialogActions>
          <Button onPress={onClose}>{text('cancel')}</Button>
          <Button kind="primary" type="submit" isBusy={isBusy}>
            {text('dashboard.add_now')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

interface ChoiceProps {
  readonly value: number
  readonly onChange: (id: number) => void
}

function ProjectChoice({ value, onChange }: ChoiceProps) {
  const { data = [] } = useQuery(myProjectsQuery)
  return <IdField label={text('home.project')} named={data} value={value} onChange={onChange} />
}

function TrackerChoice({ project, ...choice }: ChoiceProps & { readonly project: number }) {
  const { data = [] } = useQuery({ ...trackersQuery(project), enabled: project !== NONE })
  return <IdField label={text('tracker')} named={data} {...choice} />
}

function ReportChoice({ tracker, ...choice }: ChoiceProps & { readonly tracker: number }) {
  const { data = [] } = useQuery({ ...reportsQuery(tracker), enabled: tracker !== NONE })
  const named = data.map(({ id, label, is_public }) => ({
    id,
    label: is_public ? label : text('reports.own', { label }),
  }))
  const hint = tracker !== NONE && data.length === 0 ? text('dashboard.no_reports') : undefined
  return <IdField label={text('reports.title')} hint={hint} named={named} {...choice} />
}

interface IdFieldProps extends ChoiceProps {
  readonly label: string
  readonly hint?: string | undefined
  readonly named: readonly { readonly id: number; readonly label: string }[]
}

function IdField({ label, hint, named, value, onChange }: IdFieldProps) {
  const options = [
    { value: NONE, label: text('dashboard.choose') },
    ...named.map((each) => ({ value: each.id, label: each.label })),
  ]
  return <SelectField label={label} hint={hint} value={value} options={options} onChange={onChange} />
}
