import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { buttonClass } from '../../design/button.tsx'
import { SelectField, TextField } from '../../design/field.tsx'
import { Panel } from '../../design/page.tsx'
import { RefusalNotice } from '../../design/refusal.tsx'
import { type CreatedTracker, type ProjectPlace, useCreateTrackers } from '../create-trackers.ts'
import { text } from '../messages.ts'
import { NewTrackerForm } from '../new-tracker-form.tsx'
import pages from '../new-tracker-page.module.css'
import { freeNames, takenNamesQuery, toItemName } from '../new-tracker-queries.ts'
import { ColumnTable } from './column-table.tsx'
import styles from './csv-form.module.css'
import { type ImportOutcome, importRows } from './import-rows.ts'
import { decodeText, parseCsv } from './parse-csv.ts'
import {
  type ImportPlan,
  isSingleList,
  canBeTitle,
  type PlannedColumn,
  planColumns,
  toImportDefinition,
  toImportLines,
} from './plan-columns.ts'

const NONE = ''

/** A tracker whose fields are the columns of a table, and whose artifacts are its rows. */
export function CsvForm({ project }: { readonly project: ProjectPlace }) {
  const { data: taken } = useQuery(takenNamesQuery(project.id))
  const [plan, setPlan] = useState<ImportPlan>()
  const [isUnreadable, setUnreadable] = useState(false)
  const [names, setNames] = useState({ label: '', item_name: '' })
  const [progress, setProgress] = useState(0)
  const [outcome, setOutcome] = useState<ImportOutcome & { readonly tracker: CreatedTracker }>()
  const [error, setError] = useState<unknown>()
  const { create, failure, isBusy } = useCreateTrackers(project)
  const count = plan?.columns[0]?.cells.length ?? 0

  const choose = async (file: File | undefined) => {
    const table = file && parseCsv(decodeText(await file.arrayBuffer()))
    setUnreadable(file !== undefined && table === undefined)
    setPlan(table && planColumns(table))
    if (!file || !table) return
    const label = file.name
      .replace(/\.\w+$/, '')
      .replaceAll(/[_-]+/g, ' ')
      .trim()
    const wanted = { label, item_name: toItemName(label) }
    setNames(taken ? freeNames(wanted, taken) : wanted)
  }
  const importInto = async (tracker: CreatedTracker): Promise<boolean> => {
    if (!plan) return true
    try {
      const lines = toImportLines(plan, (row) => text('new_tracker.csv.row', { row }))
      const result = await importRows(tracker.id, lines, setProgress)
      if (result.refused.length === 0) return true
      setOutcome({ ...result, tracker })
    } catch (problem) {
      setError(problem)
    }
    return false
  }
  if (outcome) return <Outcome outcome={outcome} />
  return (
    <NewTrackerForm
      title={text('new_tracker.way.csv')}
      lead={text('new_tracker.csv.lead')}
      names={names}
      onNames={setNames}
      failure={failure}
      isBusy={isBusy}
      isReady={plan?.title !== undefined && error === undefined}
      onSubmit={() => plan && void create([{ ...toImportDefinition(plan), ...names }], importInto)}
    >
      <TextField
        type="file"
        accept=".csv,.tsv,.txt,text/csv"
        label={text('new_tracker.csv.choose')}
        hint={plan && text('new_tracker.csv.rows', { rows: count, columns: plan.columns.length })}
        error={isUnreadable ? text('new_tracker.csv.unreadable') : undefined}
        onChange={({ target }) => void choose(target.files?.[0])}
      />
      {plan && (
        <>
          <ColumnTable columns={plan.columns} onType={(name, type) => setPlan(withType(plan, name, type))} />
          <div className={pages['pair']}>
            <ColumnChoice
              label={text('new_tracker.csv.title')}
              hint={plan.title === undefined ? text('new_tracker.csv.no_title') : undefined}
              columns={plan.columns.filter(canBeTitle)}
              value={plan.title}
              onChange={(title) => setPlan({ ...plan, title })}
            />
            <ColumnChoice
              label={text('new_tracker.csv.status')}
              hint={text('new_tracker.csv.status.hint')}
              columns={plan.columns.filter(isSingleList)}
              value={plan.status}
              onChange={(status) => setPlan({ ...plan, status })}
            />
          </div>
        </>
      )}
      {isBusy && (
        <p role="status" className={styles['progress']}>
          {text('new_tracker.csv.running', { done: progress, count })}
        </p>
      )}
      {error !== undefined && <RefusalNotice error={error} />}
    </NewTrackerForm>
  )
}

/** The title and the status keep their column only while its type allows it. */
function withType({ columns, title, status }: ImportPlan, name: string, type: PlannedColumn['type']): ImportPlan {
  const changed = columns.map((column) => (column.name === name ? { ...column, type } : column))
  const keeps = (wanted: string | undefined, fits: (column: PlannedColumn) => boolean) =>
    changed.some((column) => column.name === wanted && fits(column)) ? wanted : undefined
  return {
    columns: changed,
    title: keeps(title, canBeTitle) ?? changed.find(canBeTitle)?.name,
    status: keeps(status, isSingleList),
  }
}

interface ChoiceProps {
  readonly label: string
  readonly hint: string | undefined
  readonly columns: readonly PlannedColumn[]
  readonly value: string | undefined
  readonly onChange: (name: string | undefined) => void
}

function ColumnChoice({ label, hint, columns, value, onChange }: ChoiceProps) {
  return (
    <SelectField
      label={label}
      hint={hint}
      value={value ?? NONE}
      options={[
        { value: NONE, label: text('new_tracker.csv.none') },
        ...columns.map(({ name, heading }) => ({ value: name, label: heading })),
      ]}
      onChange={(name) => onChange(name === NONE ? undefined : name)}
    />
  )
}

const MAX_LISTED_ROWS = 20

/** Shown if rows were refused: the tracker exists, and has the others. */
function Outcome({
  outcome: { tracker, written, refused },
}: {
  readonly outcome: ImportOutcome & { tracker: CreatedTracker }
}) {
  const count = refused.reduce((sum, { rows }) => sum + rows.length, 0)
  return (
    <Panel title={text('new_tracker.csv.outcome')}>
      <p role="status">{text('new_tracker.csv.written', { written, refused: count })}</p>
      <ul className={styles['refused']}>
        {refused.map(({ message, rows }) => (
          <li key={message}>
            {text('new_tracker.csv.refused', { message, rows: rows.slice(0, MAX_LISTED_ROWS).join(', ') })}
          </li>
        ))}
      </ul>
      <p>
        <Link to="/trackers/$id" params={{ id: String(tracker.id) }} search={{}} className={buttonClass('primary')}>
          {text('new_tracker.csv.open', { tracker: tracker.label })}
        </Link>
      </p>
    </Panel>
  )
}
