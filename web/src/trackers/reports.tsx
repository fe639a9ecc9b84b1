import { useQuery } from '@tanstack/react-query'
import type { Tracker, TrackerReportFull } from '@waypost/sdk/api'
import { Button } from '../design/button.tsx'
import { ChoiceMenu } from '../design/choice-menu.tsx'
import { addReport, changeReport, showIfRefused, removeReport } from './change-report.ts'
import { NameReport } from './name-report.tsx'
import { reportOf, reportsQuery, type ShownTable } from './reports-query.ts'
import { text } from './messages.ts'

interface Props {
  tracker: Tracker
  /** The open report. */
  report: TrackerReportFull | undefined
  /** The view of the table; undefined if the criteria of the report are not known. */
  shown: ShownTable | undefined
  onOpen: (report: number | undefined) => void
}

/** Opens saved reports. */
export function Reports({ tracker, report, onOpen }: Omit<Props, 'shown'>) {
  const { data: reports = [] } = useQuery(reportsQuery(tracker.id))
  const options = [
    { value: 0, label: text('reports.none') },
    ...reports.map(({ id, label, is_public }) => ({
      value: id,
      label: is_public ? label : text('reports.own', { label }),
    })),
  ]
  return (
    <ChoiceMenu
      label={text('reports.title')}
      isBare
      value={report?.id ?? 0}
      options={options}
      onChange={(id) => onOpen(id === 0 ? undefined : id)}
    />
  )
}

interface SaveProps extends Omit<Props, 'onOpen'> {
  /** Asks for the name of a new report. */
  readonly onName: () => void
}

/** Saves the changes of a table: into the open report, if the viewer may change it, or as a new one. */
export function SaveReport({ tracker, report, shown, onName }: SaveProps) {
  const definition = report?.definition
  const save = () => {
    if (!report || !definition || !shown) onName()
    else showIfRefused(changeReport(tracker.id, report.id, definition, reportOf(definition, shown)))
  }
  return <Button onPress={save}>{text('reports.save')}</Button>
}

/** Asks for the name of a new report, or changes or deletes the open one. */
export function ReportDialog({ tracker, report, shown, onOpen, isNew, onClose }: DialogProps) {
  const definition = report?.definition
  if (isNew && shown)
    return (
      <NameReport
        title={text('reports.save_as_title')}
        tracker={tracker}
        before={{ label: '', public: false }}
        onSave={async (named) => {
          const answer = await addReport(tracker.id, reportOf(named, shown))
          if (answer.ok) onOpen(answer.body.id)
          return answer
        }}
        onClose={onClose}
      />
    )
  if (!report || !definition) return null
  return (
    <NameReport
      title={text('reports.change_title')}
      tracker={tracker}
      before={definition}
      onSave={(named) => changeReport(tracker.id, report.id, definition, named)}
      onDelete={async () => {
        const answer = await removeReport(tracker.id, report.id, definition)
        if (answer.ok) onOpen(undefined)
        return answer
      }}
      onClose={onClose}
    />
  )
}

interface DialogProps extends Props {
  isNew: boolean
  onClose: () => void
}
