import { useQuery } from '@tanstack/react-query'
import { Refusal } from '@waypost/sdk/answer'
import type { TrackerDefinition } from '@waypost/sdk/api'
import { useState } from 'react'
import { api, read } from '../api.ts'
import { TextField } from '../design/field.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import { fieldType } from '../field-types/field-types.ts'
import { isJsonRecord, jsonText } from '../json.ts'
import { type ProjectPlace, useCreateTrackers } from './create-trackers.ts'
import { allElements, findElement } from './definition-contents.ts'
import { text } from './messages.ts'
import styles from './new-tracker-page.module.css'
import { NewTrackerForm } from './new-tracker-form.tsx'
import { freeNames, namesOf, takenNamesQuery, type TrackerNames } from './new-tracker-queries.ts'

/** A tracker from a definition document. The server plans it first, and names all of its problems. */
export function FileForm({ project }: { readonly project: ProjectPlace }) {
  const { data: taken } = useQuery(takenNamesQuery(project.id))
  const [document, setDocument] = useState<TrackerDefinition>()
  const [isUnreadable, setUnreadable] = useState(false)
  const [names, setNames] = useState<TrackerNames>({ label: '', item_name: '' })
  const { create, failure, isBusy } = useCreateTrackers(project)
  const plan = useQuery({
    queryKey: ['projects', project.id, 'plan', document],
    enabled: document !== undefined,
    gcTime: 0,
    queryFn: () => {
      const body = { ...document, ...(document && taken && freeNames(namesOf(document), taken)) }
      return read(api.call('POST /projects/{id}/trackers/plan', { path: { id: project.id }, body }))
    },
  })
  const choose = async (file: File | undefined) => {
    const given = file && parseDocument(await file.text())
    setUnreadable(file !== undefined && given === undefined)
    setDocument(given)
    if (given) setNames(taken ? freeNames(namesOf(given), taken) : namesOf(given))
  }
  const problems = plan.data?.errors.map(problemText) ?? []
  return (
    <NewTrackerForm
      title={text('new_tracker.way.file')}
      lead={text('new_tracker.file.lead')}
      names={names}
      onNames={setNames}
      failure={failure}
      isBusy={isBusy}
      isReady={document !== undefined && plan.data !== undefined && problems.length === 0}
      onSubmit={() => document && void create([{ ...document, ...names }])}
    >
      <TextField
        type="file"
        accept=".json,application/json"
        label={text('new_tracker.file.choose')}
        hint={document && text('new_tracker.file.contents', countContents(document))}
        error={isUnreadable ? text('new_tracker.file.unreadable') : undefined}
        onChange={({ target }) => void choose(target.files?.[0])}
      />
      {plan.error && <RefusalNotice error={plan.error instanceof Refusal ? plan.error : undefined} />}
      {problems.length > 0 && (
        <div role="alert" className={styles['problems']}>
          <strong>{text('new_tracker.file.refused')}</strong>
          <ul>
            {problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </div>
      )}
    </NewTrackerForm>
  )
}

function parseDocument(content: string): TrackerDefinition | undefined {
  try {
    const given: unknown = JSON.parse(content)
    return isJsonRecord(given) ? given : undefined
  } catch {
    return undefined
  }
}

/** Fields, states and reports, to recognize a document. */
function countContents(definition: TrackerDefinition): { fields: number; states: number; reports: number } {
  const fields = allElements(definition).filter(({ type = '' }) => fieldType({ type }).kind === 'field')
  const status = findElement(definition, definition.semantics?.status?.field)
  return {
    fields: fields.length,
    states: status?.bind?.type === 'static' ? (status.bind.values ?? []).length : 0,
    reports: definition.reports?.length ?? 0,
  }
}

function problemText(problem: unknown): string {
  if (!isJsonRecord(problem)) return String(problem)
  const { message, path } = problem
  return `${jsonText(message)} (${jsonText(path)})`
}
