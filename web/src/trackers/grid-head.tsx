import type { TrackerField } from '@waypost/sdk/api'
import type { PointerEvent, RefObject } from 'react'
import { Hidden } from '../design/page.tsx'
import { text } from './messages.ts'
import { isNumber, isSortable } from './columns.ts'
import styles from './grid.module.css'
import type { TqlSortKey } from './tql/order.ts'
import type { GridCell } from './use-active-cell.ts'

interface Props {
  /** Its height is that of a row. */
  row: RefObject<HTMLDivElement | null>
  columns: readonly TrackerField[]
  order: readonly TqlSortKey[]
  active: GridCell
  cellId: (row: number, column: number) => string
  /** Undefined: rows cannot be selected. */
  isAllChosen: boolean | undefined
  /** The column before which a dragged one would be put. */
  slot: number | undefined
  onChooseAll: () => void
  onPress: (column: number) => void
  onDrag: (event: PointerEvent) => void
  onResize: (event: PointerEvent, column: number) => void
}

/** The headers: they sort, and are dragged to another place or at their edge to another width. */
export function GridHead(props: Props) {
  const { row, columns, order, active, cellId, isAllChosen, slot } = props
  const heads = [{ name: '@id', label: text('table.id') }, ...columns]
  return (
    <div role="rowgroup" className={styles['head']}>
      <div ref={row} role="row" aria-rowindex={1} className={styles['row']} onPointerDown={props.onDrag}>
        <div
          role="columnheader"
          id={cellId(-1, 0)}
          aria-colindex={1}
          className={styles['cell']}
          data-active={(active.row === -1 && active.column === 0) || undefined}
        >
          {isAllChosen === undefined ? (
            <Hidden>{text('table.mark')}</Hidden>
          ) : (
            <input
              type="checkbox"
              tabIndex={-1}
              aria-label={text('table.choose_all')}
              checked={isAllChosen}
              onChange={props.onChooseAll}
            />
          )}
        </div>
        {heads.map((field, index) => {
          const key = order.findIndex(({ name }) => name === field.name)
          const sorted = key === 0 ? (order[key]?.isDescending ? 'descending' : 'ascending') : 'none'
          const isField = 'type' in field
          const canSort = !isField || isSortable(field)
          return (
            <div
              key={field.name}
              role="columnheader"
              id={cellId(-1, index + 1)}
              aria-colindex={index + 2}
              data-number={isField && isNumber(field)}
              data-column-head={isField ? index - 1 : undefined}
              data-slot={slotSide(slot, index - 1, columns.length)}
              aria-sort={canSort ? sorted : undefined}
              className={canSort ? `${styles['cell']} ${styles['sortable']}` : styles['cell']}
              data-active={(active.row === -1 && active.column === index + 1) || undefined}
              title={canSort ? text('table.sort_by', { field: field.label }) : undefined}
              onClick={() => props.onPress(index + 1)}
            >
              <span className={styles['clipped']}>{field.label}</span>
              <span aria-hidden className={styles['arrow']}>
                {sorted === 'none' ? '' : sorted === 'ascending' ? '↑' : '↓'}
              </span>
              {isField && (
                <span
                  aria-hidden
                  className={styles['edge']}
                  onPointerDown={(event) => props.onResize(event, index - 1)}
                  onClick={(event) => event.stopPropagation()}
                />
              )}
            </div>
          )
        })}
      </div>
    </div>
  )
}

function slotSide(slot: number | undefined, column: number, count: number): 'before' | 'after' | undefined {
  if (slot === undefined || column < 0) return undefined
  if (slot === column) return 'before'
  return slot === count && column === count - 1 ? 'after' : undefined
}
