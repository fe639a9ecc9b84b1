import type { ChoiceKey } from '../artifacts/choices.ts'
import type { StepCheck } from '../artifacts/try-steps.ts'
import { offeredItems } from '../field-types/values.ts'
import type { BoardProps } from './board-props.ts'
import styles from './board.module.css'
import { ColumnHead } from './column-head.tsx'
import { LaneRow } from './lane-row.tsx'
import { mayAddTo, QuickAdd } from './quick-add.tsx'
import type { BoardCell, HeldCard } from './use-held.ts'

interface Props extends BoardProps {
  /** The prefix of the ids of the column headers, which label the cells. */
  id: string
  active: number | undefined
  held: HeldCard | undefined
  step: (key: ChoiceKey | undefined) => StepCheck
  whyNot: (held: HeldCard, to: BoardCell) => string | undefined
}

/** The headers, the cards below them, and the fields for new cards. Without lanes, each column scrolls alone. */
export function BoardColumns(props: Props) {
  const { tracker, fields, layout, loader, totals, collapsed, mayMove, isByHand, id, active, held, step, whyNot } =
    props
  const { columns, lanes } = layout
  const shut = columns.map(({ key }) => collapsed.isCollapsed(key))
  const closed = shut.filter((isShut) => isShut).length
  const limits = limitsOf(props)
  const template = shut.map((isShut) => (isShut ? 'var(--narrow)' : 'minmax(var(--width), 1fr)')).join(' ')
  const isAddable = fields.lanes === undefined && mayMove
  const addable = columns.map(({ key }, index) => isAddable && !shut[index] && mayAddTo(tracker, fields.columns, key))
  return (
    <div
      className={styles['columns']}
      style={{ '--template': template, '--open': columns.length - closed, '--closed': closed }}
    >
      <div className={styles['heads']}>
        {columns.map((column, index) => (
          <ColumnHead
            key={String(column.key)}
            id={`${id}-${index}`}
            index={index}
            tracker={tracker}
            field={fields.columns}
            column={column}
            total={totals[index]}
            limit={limits.get(column.key)}
            isCollapsed={shut[index] === true}
            onCollapse={(isCollapsed) => collapsed.setCollapsed(column.key, isCollapsed)}
            step={held && column.key !== held.from.key ? step(column.key) : undefined}
            isOver={held?.over !== undefined && held.over.key === column.key}
          />
        ))}
      </div>
      {lanes.map((lane, index) => (
        <LaneRow
          key={lane.id}
          lane={lane}
          index={index}
          columns={columns.map((column, at) => ({
            ...column,
            isCollapsed: shut[at] === true,
            excess: Math.max(0, (totals[at] ?? column.count) - (limits.get(column.key) ?? Infinity)),
          }))}
          fields={fields.cards}
          hasHead={fields.lanes !== undefined}
          headIds={id}
          active={active}
          peeked={props.peek.id}
          held={held}
          mayMove={mayMove}
          isByHand={isByHand}
          isForbidden={(key) => held !== undefined && whyNot(held, { key, lane: lane.id }) !== undefined}
        />
      ))}
      {addable.includes(true) && (
        <div className={styles['feet']}>
          {columns.map(({ key, label }, index) =>
            addable[index] ? (
              <QuickAdd key={String(key)} column={{ key, label }} {...{ tracker, field: fields.columns, loader }} />
            ) : (
              <span key={String(key)} />
            ),
          )}
        </div>
      )}
    </div>
  )
}

/** Limits come with the tracker, so that a new one is shown at once. */
function limitsOf({ tracker, fields }: BoardProps): ReadonlyMap<ChoiceKey | undefined, number | undefined> {
  const field = tracker.fields.find(({ field_id }) => field_id === fields.columns.field_id)
  return new Map(field ? offeredItems(field).map(({ id, limit }) => [id ?? undefined, limit]) : [])
}
