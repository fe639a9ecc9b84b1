import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronRight, ListChecks } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { ChoiceMenu } from '../design/choice-menu.tsx'
import { Icon } from '../design/icon.tsx'
import { ProjectMark } from '../design/marks.tsx'
import { Empty, Loading, Panel } from '../design/page.tsx'
import { StatusGlyph } from '../design/pill.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import { formatNumber } from '../messages/format-number.ts'
import { lazyPart } from '../design/lazy-part.tsx'
import { cutGroups, groupWork, WORK_GROUPINGS, type WorkGroup } from './group-work.ts'
import { text } from './messages.ts'
import { loadGrouping, storeGrouping } from './stored-grouping.ts'
import { useLiveWork } from './use-live-work.ts'
import { type PickedCell, useWorkKeys } from './use-work-keys.ts'
import { type WorkScope, workQuery } from './work-query.ts'
import { WorkRow } from './work-row.tsx'
import styles from './work.module.css'

const WorkPicker = lazyPart(async () => (await import('./work-picker.tsx')).WorkPicker, {
  close: ({ onClose }) => onClose(),
})

interface Props {
  readonly title: string
  readonly scope: WorkScope
  /** The number of rows that are shown. */
  readonly limit?: number
}

/** The open artifacts of the viewer, grouped; values can be changed in place. */
export function WorkPanel({ title, scope, limit = Number.POSITIVE_INFINITY }: Props) {
  const { data, error, refetch } = useQuery(workQuery(scope))
  const [grouping, setGrouping] = useState(loadGrouping)
  const [picked, setPicked] = useState<PickedCell>()
  const list = useRef<HTMLDivElement>(null)
  useLiveWork()
  useWorkKeys(list, setPicked)
  if (error && !data) return <RefusalNotice error={error} onRetry={() => void refetch()} />
  const items = data?.items ?? []
  const groups = groupWork(items, grouping)
  const left = items.length - limit
  const pickedItem = items.find(({ id }) => id === picked?.id)
  const choice = (
    <ChoiceMenu
      label={text('work.group')}
      isQuiet
      value={grouping}
      options={WORK_GROUPINGS.map((by) => ({ value: by, label: text(`work.group.${by}`) }))}
      onChange={(by) => {
        setGrouping(by)
        storeGrouping(by)
      }}
    />
  )
  return (
    <Panel title={title} count={data?.size} actions={items.length > 0 && choice} isList>
      {!data && <Loading />}
      {data && items.length === 0 && <Empty icon={ListChecks}>{text(`work.none.${scope}`)}</Empty>}
      <div ref={list} data-row-list>
        {cutGroups(groups, limit).map((group) => (
          <Group
            key={group.key}
            group={group}
            count={groups.find(({ key }) => key === group.key)?.items.length ?? 0}
            onPick={setPicked}
          />
        ))}
      </div>
      {left > 0 && (
        <Link to="/my-work" search={{}} className={styles['left']}>
          {text('work.more', { count: left })}
          <Icon of={ChevronRight} size={14} />
        </Link>
      )}
      {left <= 0 && data && data.size > items.length && (
        <p className={styles['left']}>{text('work.cut', { count: items.length })}</p>
      )}
      {picked && pickedItem && (
        <WorkPicker
          key={`${picked.id} ${picked.pickerKey}`}
          item={pickedItem}
          cell={picked}
          onClose={() => setPicked(undefined)}
        />
      )}
    </Panel>
  )
}

interface GroupProps {
  readonly group: WorkGroup
  /** Of the whole group. */
  readonly count: number
  readonly onPick: (cell: PickedCell) => void
}

function Group({ group, count, onPick }: GroupProps) {
  const id = useId()
  return (
    <>
      <h3 id={id} className={styles['group']} data-late={group.by === 'due' && group.due === 'overdue'}>
        <GroupName group={group} />
        <span className={styles['count']}>{formatNumber(count)}</span>
      </h3>
      <ul aria-labelledby={id}>
        {group.items.map((item) => (
          <WorkRow key={item.id} item={item} onPick={onPick} />
        ))}
      </ul>
    </>
  )
}

function GroupName({ group }: { readonly group: WorkGroup }) {
  switch (group.by) {
    case 'due':
      return text(`work.due.${group.due}`)
    case 'status':
      if (!group.status) return text('work.no_status')
      return (
        <>
          <span data-hue={group.hue}>
            <StatusGlyph progress={group.status.progress} />
          </span>
          {group.status.value}
        </>
      )
    case 'project':
      return (
        <>
          <ProjectMark id={group.project.id} label={group.project.label} icon={group.project.icon} />
          {group.project.label}
        </>
      )
    default:
      return group satisfies never
  }
}
