import { useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useDebounced } from '../artifacts/use-debounced.ts'
import { Dialog } from '../design/dialog.tsx'
import { containsWords } from '../design/fold-text.ts'
import { TrackerMark } from '../design/marks.tsx'
import { PickList } from '../design/pick-list.tsx'
import { recentlySeenQuery } from '../personal-lists/personal-lists.ts'
import { myProjectsQuery, trackersQuery } from '../projects/projects-queries.ts'
import styles from './choose-tracker.module.css'
import { text } from './messages.ts'
import { quickQuery } from './quick-query.ts'
import { readTyped } from './read-typed.ts'

/** Trackers of more projects are found by typing. */
const MAX_LISTED_PROJECTS = 5
const TYPING_PAUSE_MS = 100

interface Choice {
  readonly id: number
  readonly label: string
  readonly color: string
  readonly project: string
}

interface Props {
  readonly title: string
  /** Its trackers come before those of other projects. */
  readonly project: number | undefined
  /** They come before all others. */
  readonly first?: readonly number[]
  readonly onPick: (tracker: number) => void
  readonly onClose: () => void
}

/** Asks for the tracker of a new artifact. Those that were seen last come first. */
export function ChooseTracker({ title, project, first = [], onPick, onClose }: Props) {
  const [typed, setTyped] = useState('')
  const choices = useChoices(project, typed)
  const fitting = choices.filter(({ label, project: place }) => containsWords(`${label} ${place}`, typed.trim()))
  const isFirst = ({ id }: Choice) => first.includes(id)
  const options = [...fitting.filter(isFirst), ...fitting.filter((choice) => !isFirst(choice))]
  return (
    <Dialog title={title} onClose={onClose}>
      <div className={styles['list']}>
        <PickList
          label={text('create.tracker')}
          placeholder={text('create.search')}
          options={options.map(({ id, label, color, project: place }) => ({
            id: String(id),
            label,
            mark: <TrackerMark label={label} color={color} />,
            note: place,
          }))}
          chosen={[]}
          onTyped={setTyped}
          onPick={([id]) => {
            onClose()
            onPick(Number(id))
          }}
        />
      </div>
    </Dialog>
  )
}

function useChoices(project: number | undefined, typed: string): readonly Choice[] {
  const { data: recent = [], isPending } = useQuery(recentlySeenQuery)
  const { data: mine = [] } = useQuery(myProjectsQuery)
  const projects = [...new Set([...(project === undefined ? [] : [project]), ...mine.map(({ id }) => id)])]
  const listed = useQueries({ queries: projects.slice(0, MAX_LISTED_PROJECTS).map(trackersQuery) })
  const { words, query } = readTyped(useDebounced(typed, TYPING_PAUSE_MS))
  const { data: found } = useQuery(quickQuery({ mode: 'actions', query, words }, undefined))
  // Else the first option would change while it is being picked.
  if (isPending) return []
  const seen = recent.flatMap(({ kind, id, label, tracker, project: place }): Choice[] =>
    kind === 'tracker' ? [{ id, label, color: tracker?.color_name ?? '', project: place.label }] : [],
  )
  const others = [...listed.flatMap(({ data = [] }) => data), ...(query === '' ? [] : (found?.trackers ?? []))].map(
    ({ id, label, color_name: color, project: place }): Choice => ({ id, label, color, project: place.label }),
  )
  const all = [...seen, ...others]
  return all.filter(({ id }, index) => all.findIndex((choice) => choice.id === id) === index)
}
