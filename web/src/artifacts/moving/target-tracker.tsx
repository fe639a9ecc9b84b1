import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { SelectField } from '../../design/field.tsx'
import { myProjectsQuery } from '../../projects/projects-queries.ts'
import { text } from '../messages.ts'
import styles from './moving.module.css'
import { targetTrackersQuery } from './moving-queries.ts'

interface Props {
  readonly project: { readonly id: number; readonly label: string }
  readonly whose: 'administered' | 'all'
  /** Not offered. */
  readonly except?: number
  /** 0: none is chosen. */
  readonly value: number
  readonly onChange: (tracker: number) => void
}

/** Chooses a tracker of one of the projects of the viewer. */
export function TargetTracker({ project, whose, except, value, onChange }: Props) {
  const { data: mine = [] } = useQuery(myProjectsQuery)
  const [chosen, setChosen] = useState(project.id)
  const { data: trackers } = useQuery(targetTrackersQuery(chosen, whose))
  const offered = trackers?.filter(({ id }) => id !== except)
  const others = mine.filter(({ id }) => id !== project.id)
  return (
    <div className={styles['pair']}>
      <SelectField
        label={text('moving.project')}
        value={chosen}
        options={[
          { value: project.id, label: project.label },
          ...others.map(({ id, label_without_icon: label }) => ({ value: id, label })),
        ]}
        onChange={(id) => {
          setChosen(id)
          onChange(0)
        }}
      />
      <SelectField
        label={text('moving.tracker')}
        hint={offered?.length === 0 ? text('moving.no_tracker') : undefined}
        value={value}
        options={[
          { value: 0, label: text('moving.choose') },
          ...(offered ?? []).map(({ id, label }) => ({ value: id, label })),
        ]}
        onChange={onChange}
      />
    </div>
  )
}
