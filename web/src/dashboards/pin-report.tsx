import type { Tracker, TrackerReport } from '@waypost/sdk/api'
import { useState } from 'react'
import { Button } from '../design/button.tsx'
import { Dialog, DialogActions } from '../design/dialog.tsx'
import { RadioGroup } from '../design/field.tsx'
import { refusalText } from '../design/refusal.tsx'
import { useMayAdminister } from '../projects/use-may-administer.ts'
import { showToast } from '../design/toasts.ts'
import toolbar from '../trackers/toolbar.module.css'
import { appendWidget } from './dashboard-queries.ts'
import { text } from './messages.ts'
import { NEW_DRAFT, toNewWidget, WIDGET_TYPES } from './widget-draft.ts'
import { WidgetFields, WidgetTypes } from './widget-fields.tsx'

interface Props {
  readonly tracker: Tracker
  readonly report: Pick<TrackerReport, 'id' | 'label' | 'is_public'>
  readonly onClose: () => void
}

const TYPES_OF_REPORT = WIDGET_TYPES.filter((type) => type !== 'note')

/** Pins an open report to the dashboard of its project or of the viewer. */
export function PinReport({ tracker, report, onClose }: Props) {
  const { project } = tracker
  const mayShare = useMayAdminister(project.id) === true
  const [chosen, setPlace] = useState<'project' | 'own'>()
  const [draft, setDraft] = useState(NEW_DRAFT)
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const place = mayShare ? (chosen ?? 'project') : 'own'
  const save = async () => {
    setBusy(true)
    const owner = place === 'own' ? ('self' as const) : { project: project.id }
    const refused = await appendWidget(owner, toNewWidget(draft, report.id))
    setBusy(false)
    if (refused) return setProblem(refusalText(refused))
    onClose()
    const { label } = report
    return showToast(
      place === 'own'
        ? text('dashboard.pinned_own', { label })
        : text('dashboard.pinned', { label, project: project.label }),
    )
  }
  return (
    <Dialog title={text('dashboard.pin_title', { label: report.label })} onClose={onClose}>
      <form
        className={toolbar['form']}
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        {mayShare && (
          <RadioGroup
            label={text('dashboard.where')}
            name="dashboard"
            values={['project', 'own']}
            chosen={place}
            labelOf={(value) =>
              value === 'own' ? text('dashboard.own') : text('dashboard.of', { project: project.label })
            }
            onChoose={setPlace}
          />
        )}
        {place === 'project' && !report.is_public && <p>{text('dashboard.private')}</p>}
        <WidgetTypes types={TYPES_OF_REPORT} draft={draft} onChange={setDraft} />
        <WidgetFields tracker={tracker} draft={draft} error={problem} onChange={setDraft} />
        <DialogActions>
          <Button onPress={onClose}>{text('cancel')}</Button>
          <Button kind="primary" type="submit" isBusy={isBusy}>
            {text('dashboard.pin_now')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
