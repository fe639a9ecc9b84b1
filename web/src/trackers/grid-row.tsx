import type { Artifact, TrackerField } from '@waypost/sdk/api'
import { GripVertical, PanelRight } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import { ArtifactLink } from '../artifacts/artifact-link.tsx'
import { isPickable } from '../artifacts/key-fields.ts'
import { Icon } from '../design/icon.tsx'
import { mayUpdate } from '../field-types/drafts.ts'
import { Unassigned } from '../field-types/assignee.tsx'
import { OpenProvider } from '../field-types/due.tsx'
import { isEmptyValue } from '../field-types/field-types.ts'
import { ShowValue } from '../field-types/field-views.tsx'
import { text } from './messages.ts'
import { isNumber, type RowPart } from './columns.ts'
import styles from './grid.module.css'
import { PastMark, PastPair } from './past/past-cell.tsx'
import type { ComparedRow } from './past/past-rows.ts'
import { BranchToggle } from './tree/branch-toggle.tsx'

interface Props {
  row: number
  top: number
  /** Undefined: not loaded yet. */
  artifact: Artifact | undefined
  columns: readonly TrackerField[]
  title: number | undefined
  /** The places of the columns on a phone. */
  parts: ReadonlyMap<number, RowPart>
  /** The row can be dragged. */
  hasGrip: boolean
  isChosen: boolean
  /** The panel beside the grid shows it. */
  isPeeked: boolean
  /** The focused column. */
  active: number | undefined
  gridId: string
  editing: { readonly field: number; readonly editor: ReactNode } | undefined
  /** Rows of the past are read only, and compared with today once they are loaded. */
  isPast: boolean
  /** How deep the row is in a tree; undefined: the rows are no tree. */
  level: number | undefined
  childCount: number | undefined
  isExpanded: boolean | undefined
  compared: ComparedRow | undefined
  /** Stable for the lifetime of the grid, so that memoization works. */
  actions: RowActions
}

export interface RowActions {
  readonly focus: (row: number, column: number) => void
  readonly choose: (row: number, isRange: boolean) => void
  readonly edit: (row: number, field: TrackerField) => void
  readonly peek: (row: number) => void
  /** Shows or hides the children of a row. */
  readonly toggle: (row: number) => void
}

/** The index of the column in which a tree shows its branches. */
export function treeColumn(columns: readonly TrackerField[], title: number | undefined): number {
  return Math.max(
    0,
    columns.findIndex(({ field_id }) => field_id === title),
  )
}

/** Memoized: key and wheel events arrive faster than forty rows render. */
export const GridRow = memo(function GridRow(props: Props) {
  const { row, top, artifact, columns, title, parts, hasGrip, isChosen, isPeeked, active, gridId, editing, actions } =
    props
  const { isPast, compared, level, childCount = 0, isExpanded = false } = props
  const branchColumn = level === undefined ? -1 : treeColumn(columns, title)
  const cell = (column: number) => ({
    role: 'gridcell',
    id: `${gridId}-${row}-${column}`,
    'aria-colindex': column + 1,
    'data-column': column,
    'data-active': active === column || undefined,
    className: styles['cell'],
  })
  return (
    <div
      role="row"
      aria-rowindex={row + 2}
      aria-level={level === undefined ? undefined : level + 1}
      aria-expanded={childCount > 0 ? isExpanded : undefined}
      aria-selected={isPast ? undefined : isChosen}
      aria-busy={artifact === undefined}
      data-editing={editing !== undefined}
      data-peeked={isPeeked}
      className={styles['row']}
      style={{ transform: `translateY(${top}px)` }}
    >
      <div {...cell(0)}>
        {artifact && hasGrip && (
          <span className={styles['grip']} data-grip={artifact.id} title={text('rank.grip', { name: artifact.xref })}>
            <Icon of={GripVertical} />
          </span>
        )}
        {compared?.mark && <PastMark mark={compared.mark} />}
        {artifact && !isPast && (
          <input
            type="checkbox"
            tabIndex={-1}
            aria-label={text('table.choose', { name: artifact.xref })}
            checked={isChosen}
            onChange={() => undefined}
            onClick={(event) => actions.choose(row, event.shiftKey)}
          />
        )}
      </div>
      <div {...cell(1)} onClick={() => actions.focus(row, 1)}>
        {artifact ? (
          <ArtifactLink id={artifact.id} state={compared?.version} tabIndex={-1} className={styles['reference']}>
            #{artifact.id}
          </ArtifactLink>
        ) : (
          <span className={styles['waiting']} />
        )}
        {artifact && !isPast && (
          <button
            type="button"
            tabIndex={-1}
            className={styles['peek']}
            aria-label={text('peek', { name: artifact.xref })}
            onClick={(event) => {
              event.stopPropagation()
              actions.peek(row)
            }}
          >
            <Icon of={PanelRight} size={14} />
          </button>
        )}
        {editing && !columns.some(({ field_id }) => field_id === editing.field) && editing.editor}
      </div>
      <OpenProvider isOpen={isPast ? undefined : artifact?.is_open}>
        {columns.map((field, index) => {
          const value = artifact?.values?.find(({ field_id }) => field_id === field.field_id)
          const isEdited = editing?.field === field.field_id
          const mayEdit = !isPast && mayUpdate(field)
          const isDifferent = compared?.differing.has(field.field_id) === true
          return (
            <div
              key={field.field_id}
              {...cell(index + 2)}
              data-number={isNumber(field)}
              data-part={parts.get(field.field_id) ?? 'other'}
              data-editing={isEdited}
              data-different={isDifferent || undefined}
              aria-readonly={!mayEdit}
              onClick={({ target }) => {
                if (isEdited) return
                actions.focus(row, index + 2)
                const isOnValue = target instanceof Element && target.closest('[data-value]') !== null
                if (isOnValue && !isPast && isPickable(field)) actions.edit(row, field)
              }}
              onDoubleClick={() => {
                if (!isEdited) actions.edit(row, field)
              }}
            >
              {index === branchColumn && artifact && (
                <BranchToggle
                  name={artifact.xref}
                  level={level ?? 0}
                  childCount={childCount}
                  isExpanded={isExpanded}
                  onToggle={() => actions.toggle(row)}
                />
              )}
              {isEdited && editing.editor}
              {(!isEdited || isPickable(field)) && (
                <PastPair field={field} now={isDifferent ? compared.now : undefined} isEmpty={isEmptyValue(value)}>
                  <span className={styles['clipped']} data-value>
                    {field.field_id === title && artifact && value ? (
                      <ArtifactLink
                        id={artifact.id}
                        state={compared?.version}
                        tabIndex={-1}
                        className={styles['title']}
                      >
                        <ShowValue value={value} field={field} isShort />
                      </ArtifactLink>
                    ) : (
                      <ShowValue value={value} field={field} isShort />
                    )}
                    {artifact && isEmptyValue(value) && <Unassigned fieldId={field.field_id} />}
                  </span>
                </PastPair>
              )}
              {active === index + 2 && !isEdited && artifact && mayEdit && (
                <button
                  type="button"
                  tabIndex={-1}
                  className={styles['edit']}
                  onClick={(event) => {
                    event.stopPropagation()
                    actions.edit(row, field)
                  }}
                >
                  {text('table.edit')}
                </button>
              )}
            </div>
          )
        })}
      </OpenProvider>
    </div>
  )
})
