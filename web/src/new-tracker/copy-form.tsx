import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api.ts'
import { SelectField } from '../design/field.tsx'
import { myProjectsQuery } from '../projects/projects-queries.ts'
import { type ProjectPlace, useCreateTrackers } from './create-trackers.ts'
import { text } from './messages.ts'
import styles from './new-tracker-page.module.css'
import { NewTrackerForm } from './new-tracker-form.tsx'
import { freeNames, takenNamesQuery, type TrackerNames } from './new-tracker-queries.ts'

/** The trackers of a project that the viewer may copy. */
const administeredQuery = (project: number) =>
  queryOptions({
    queryKey: ['projects', project, 'trackers', 'administered'],
    queryFn: () =>
      Array.fromAsync(
        api.list('GET /projects/{id}/trackers', {
          path: { id: project },
          query: { query: '{"is_tracker_admin":true}', fields: 'label,item_name', limit: 50 },
        }),
      ),
  })

interface Props {
  readonly project: ProjectPlace & { readonly label: string }
}

export function CopyForm({ project }: Props) {
  const { data: mine = [] } = useQuery(myProjectsQuery)
  const [source, setSource] = useState(project.id)
  const { data: trackers } = useQuery(administeredQuery(source))
  const { data: taken } = useQuery(takenNamesQuery(project.id))
  const [chosen, setChosen] = useState<number>()
  const [edited, setEdited] = useState<TrackerNames>()
  const { create, failure, isBusy } = useCreateTrackers(project)
  const others = mine.filter(({ id }) => id !== project.id)
  const tracker = trackers?.find(({ id }) => id === chosen) ?? trackers?.[0]
  const original = {
    label: tracker?.label ?? '',
    item_name: tracker && 'item_name' in tracker ? tracker.item_name : '',
  }
  const names = edited ?? (taken && tracker ? freeNames(original, taken) : original)
  return (
    <NewTrackerForm
      title={text('new_tracker.way.copy')}
      lead={text('new_tracker.copy.lead')}
      names={names}
      onNames={setEdited}
      failure={failure}
      isBusy={isBusy}
      isReady={tracker !== undefined && taken !== undefined}
      onSubmit={() => tracker && void create([{ copy_from: { id: tracker.id }, ...names }])}
    >
      <div className={styles['pair']}>
        <SelectField
          label={text('new_tracker.copy.project')}
          value={source}
          options={[
            { value: project.id, label: project.label },
            ...others.map(({ id, label_without_icon: label }) => ({ value: id, label })),
          ]}
          onChange={(id) => {
            setSource(id)
            setChosen(undefined)
            setEdited(undefined)
          }}
        />
        <SelectField
          label={text('new_tracker.copy.tracker')}
          hint={trackers?.length === 0 ? text('new_tracker.copy.none') : undefined}
          value={tracker?.id ?? 0}
          options={(trackers ?? []).map(({ id, label }) => ({ value: id, label }))}
          onChange={(id) => {
            setChosen(id)
            setEdited(undefined)
          }}
        />
      </div>
    </NewTrackerForm>
  )
}
