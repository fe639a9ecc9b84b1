import { useQuery } from '@tanstack/react-query'
import type { ReportDefinition, Tracker, TrackerReportFull } from '@waypost/sdk/api'
import { type FormEvent, useState } from 'react'
import { useSession } from '../accounts/session.ts'
import { api } from '../api.ts'
import { Button } from '../design/button.tsx'
import { Dialog, DialogActions } from '../design/dialog.tsx'
import { Choice, SelectField, TextField } from '../design/field.tsx'
import { refusalText } from '../design/refusal.tsx'
import { tell } from '../shell/toasts.ts'
import { text } from './words.ts'
import { lookAgainAtReports, reportOf, reportsQuery } from './reports-query.ts'
import styles from './toolbar.module.css'

interface Props {
  tracker: Tracker
  /** The one that is open. */
  report: TrackerReportFull | undefined
  /** What the table shows now; undefined: what the report shows, and nobody knows how. */
  shown: { readonly query: string; readonly columns: readonly string[] } | undefined
  /** It differs from what the report shows. */
  isChanged: boolean
  onOpen: (report: number | undefined) => void
}

/** Searches that have a name: to open, to change, and to make. */
export function Reports({ tracker, report, shown, isChanged, onOpen }: Props) {
  const { data: reports = [] } = useQuery(reportsQuery(tracker.id))
  const { data: session } = useSession()
  const [isNaming, setNaming] = useState(false)
  const options = [
    { value: 0, label: text('reports.none') },
    ...reports.map(({ id, label, is_public }) => ({
      value: id,
      label: is_public ? label : text('reports.own', { label }),
    })),
  ]
  const definition = report?.definition
  return (
    <div className={styles['reports']}>
      <SelectField
        label={text('reports.title')}
        isBare
        value={report?.id ?? 0}
        options={options}
        onChange={(id) => onOpen(id === 0 ? undefined : id)}
      />
      {report && definition && shown && isChanged && (
        <Button onPress={() => void save(tracker.id, report.id, definition, reportOf(definition, shown))}>
          {text('reports.save')}
        </Button>
      )}
      {session && shown && <Button onPress={() => setNaming(true)}>{text('reports.save_as')}</Button>}
      {isNaming && shown && (
        <SaveAs
          tracker={tracker}
          shown={shown}
          onSaved={(id) => {
            setNaming(false)
            onOpen(id)
          }}
          onClose={() => setNaming(false)}
        />
      )}
    </div>
  )
}

async function save(tracker: number, id: number, before: ReportDefinition, after: ReportDefinition): Promise<void> {
  const answer = await api.call('PUT /tracker_reports/{id}', { path: { id }, body: after })
  await lookAgainAtReports(tracker)
  if (answer.ok)
    tell(text('reports.saved', { label: after.label }), { undo: () => void save(tracker, id, after, before) })
  else tell(refusalText(answer), { isTrouble: true })
}

interface SaveAsProps {
  tracker: Tracker
  shown: NonNullable<Props['shown']>
  onSaved: (report: number) => void
  onClose: () => void
}

function SaveAs({ tracker, shown, onSaved, onClose }: SaveAsProps) {
  const [label, setLabel] = useState('')
  const [isPublic, setPublic] = useState(false)
  const [error, setError] = useState<string>()
  // Only those who administer the tracker are told who else does.
  const mayShare = tracker.permissions_for_groups !== null
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const body = reportOf({ label, public: isPublic }, shown)
    const answer = await api.call('POST /trackers/{id}/tracker_reports', { path: { id: tracker.id }, body })
    if (!answer.ok) return setError(refusalText(answer))
    await lookAgainAtReports(tracker.id)
    tell(text('reports.saved', { label }))
    return onSaved(answer.body.id)
  }
  return (
    <Dialog title={text('reports.save_as_title')} onClose={onClose}>
      <form className={styles['form']} onSubmit={(event) => void submit(event)}>
        <TextField
          label={text('reports.label')}
          hint={text('reports.label.hint')}
          error={error}
          autoFocus
          required
          maxLength={255}
          value={label}
          onChange={({ target }) => setLabel(target.value)}
        />
        {mayShare && (
          <Choice
            label={text('reports.public')}
            hint={text('reports.public.hint')}
            checked={isPublic}
            onChange={({ target }) => setPublic(target.checked)}
          />
        )}
        <DialogActions>
          <Button onPress={onClose}>{text('cancel')}</Button>
          <Button kind="primary" type="submit">
            {text('reports.save')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
