import type { OwnArtifact } from '@waypost/sdk/api'
import { type KeyboardEvent, memo, type ReactNode } from 'react'
import { ArtifactLink } from '../artifacts/artifact-link.tsx'
import type { PickerKey } from '../artifacts/key-fields.ts'
import { DueDay } from '../design/due-day.tsx'
import { toHue } from '../design/hue.ts'
import { ProjectMark, TrackerMark } from '../design/marks.tsx'
import { Hidden } from '../design/page.tsx'
import { StatusPill } from '../design/pill.tsx'
import { PriorityIcon, toPriorityLevel } from '../design/priority-icon.tsx'
import { dueDay } from './group-work.ts'
import { usePeekedId } from '../peek/peek-link.ts'
import { text } from './messages.ts'
import type { PickedCell } from './use-work-keys.ts'
import styles from './work.module.css'

interface Props {
  readonly item: OwnArtifact
  readonly onPick: (cell: PickedCell) => void
}

/** An artifact with what is urgent about it. It can have the focus; the keys of the row change its values. */
export const WorkRow = memo(function WorkRow({ item, onPick }: Props) {
  const { id, xref, title, tracker, status, priority } = item
  const { project } = tracker
  const peeked = usePeekedId()
  const day = dueDay(item)
  const level = priority ? toPriorityLevel(priority.value) : undefined
  const open = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Enter' && event.target === event.currentTarget)
      event.currentTarget.querySelector<HTMLElement>('a')?.click()
  }
  const value = (pickerKey: PickerKey, name: string, children: ReactNode) => (
    <button
      type="button"
      // The keys of the row open the same pickers; a tab stop for each value would make the way through the list long.
      tabIndex={-1}
      className={styles['value']}
      data-cell={pickerKey}
      title={name}
      onClick={({ currentTarget }) => onPick({ id, pickerKey, anchor: currentTarget })}
    >
      {children}
    </button>
  )
  return (
    <li
      className={styles['row']}
      data-work={id}
      data-artifact={id}
      data-peeked={id === peeked}
      tabIndex={-1}
      onKeyDown={open}
    >
      <span className={styles['priority']}>
        {priority &&
          value(
            'p',
            text('work.priority', { value: priority.value }),
            <>
              {level ? (
                <PriorityIcon level={level} />
              ) : (
                <span className={styles['dot']} data-hue={toHue(priority.color)} />
              )}
              <Hidden>{text('work.priority', { value: priority.value })}</Hidden>
            </>,
          )}
      </span>
      <TrackerMark label={tracker.label} color={tracker.color_name} />
      <Reference xref={xref} />
      <ArtifactLink id={id} className={styles['title']} dir="auto">
        {title === null || title === '' ? xref : title}
      </ArtifactLink>
      <span className={styles['project']} title={project.label}>
        <ProjectMark id={project.id} label={project.label} icon={project.icon} />
        <Hidden>{project.label}</Hidden>
      </span>
      <span className={styles['status']}>
        {status &&
          value(
            's',
            text('work.status', { value: status.value }),
            <StatusPill hue={toHue(status.color)} progress={status.progress}>
              {status.value}
            </StatusPill>,
          )}
      </span>
      <span className={styles['due']}>
        {value(
          'd',
          text('work.group.due'),
          day === undefined ? (
            <>
              <span aria-hidden>–</span>
              <Hidden>{text('work.no_due')}</Hidden>
            </>
          ) : (
            <>
              <Hidden>{text('work.due')}</Hidden>
              <DueDay day={day} />
            </>
          ),
        )}
      </span>
    </li>
  )
})

/** A long name of items is clipped, the number never. */
function Reference({ xref }: { readonly xref: string }) {
  const at = xref.lastIndexOf(' ')
  return (
    <span className={styles['reference']} title={xref}>
      <span className={styles['item']}>{xref.slice(0, at)}</span>
      <span>&nbsp;{xref.slice(at + 1)}</span>
    </span>
  )
}
