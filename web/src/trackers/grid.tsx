import type { Artifact, TrackerField } from '@waypost/sdk/api'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { PickerKey } from '../artifacts/key-fields.ts'
import { showToast } from '../shell/toasts.ts'
import { useSequenceGuard, useShortcuts } from '../shell/use-shortcuts.ts'
import { text } from './messages.ts'
import { isNumber, isSortable, widthsOf } from './columns.ts'
import styles from './grid.module.css'
import { GridRow, type RowActions } from './grid-row.tsx'
import { toGridKey } from './grid-keys.ts'
import { MAX_OFFSET, type RowLoader } from './row-loader.ts'
import type { Beside } from './row-store.ts'
import { added, toggled } from './selection.ts'
import type { TqlSortKey } from './tql/order.ts'
import { useActiveCell } from './use-active-cell.ts'
import { useRowDrag } from './use-row-drag.ts'
import { useVersion } from './use-rows.ts'

/** Rows rendered above and below the viewport. */
const OVERSCAN_ROWS = 8
/** The check box and the reference, before the fields. */
const OWN_COLUMNS = 2

interface Props {
  label: string
  loader: RowLoader
  columns: readonly TrackerField[]
  title: number | undefined
  order: readonly TqlSortKey[]
  chosen: ReadonlySet<number>
  /** The edited cell and its editor. */
  editing: { readonly id: number; readonly field: number; readonly editor: ReactNode } | undefined
  onSort: (name: string) => void
  onChoose: (chosen: ReadonlySet<number>) => void
  onChooseAll: () => void
  onOpen: (id: number) => void
  onEdit: (artifact: Artifact, field: TrackerField) => void
  /** Opens the picker of the status, assignee, priority or due date. */
  onPick: (artifact: Artifact, key: PickerKey) => void
  onBulk: () => void
  /** Moves a row in an order by hand; undefined: the rows have another order. */
  onRank: ((id: number, to: Beside) => void) | undefined
}

/** A virtualized grid for up to a hundred thousand rows. */
export function Grid(props: Props) {
  const { label, loader, columns, title, order, chosen, editing } = props
  const { store } = loader
  const version = useVersion(loader)
  const size = Math.min(store.size ?? 0, MAX_OFFSET)
  const scroller = useRef<HTMLDivElement>(null)
  const head = useRef<HTMLDivElement>(null)
  const [rowHeight, setRowHeight] = useState(loader.place.rowHeight)
  const [seen, setSeen] = useState({ from: 0, to: 40 })
  const id = useId()
  const count = columns.length + OWN_COLUMNS
  const { active, move, hold } = useActiveCell({ loader, version, size, columns: count, rowHeight, scroller })

  const look = () => {
    const { current: element } = scroller
    if (!element) return
    const height = head.current?.offsetHeight ?? rowHeight
    if (height !== rowHeight) setRowHeight(height)
    const first = Math.floor(element.scrollTop / height)
    const last = Math.ceil((element.scrollTop + element.clientHeight - height) / height)
    const from = Math.max(0, first - OVERSCAN_ROWS)
    const to = Math.min(size, last + OVERSCAN_ROWS)
    hold(first)
    Object.assign(loader.place, { top: element.scrollTop, rowHeight: height })
    if (from !== seen.from || to !== seen.to) setSeen({ from, to })
    loader.setVisibleRange(from, Math.max(to, 1))
  }
  useLayoutEffect(() => {
    if (scroller.current) scroller.current.scrollTop = loader.place.top
  }, [])
  useLayoutEffect(look)
  useEffect(() => {
    const { current: element } = scroller
    if (!element) return undefined
    const observer = new ResizeObserver(() => setSeen((before) => ({ ...before })))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  const isEditing = editing !== undefined
  const wasEditing = useRef(isEditing)
  useEffect(() => {
    if (wasEditing.current && !isEditing) scroller.current?.focus()
    wasEditing.current = isEditing
  }, [isEditing])

  useShortcuts({ j: () => scroller.current?.focus() })
  const isInSequence = useSequenceGuard()
  const press = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || isInSequence(event)) return
    const { row, column } = active
    const page = Math.max(1, Math.floor(((scroller.current?.clientHeight ?? 400) - rowHeight) / rowHeight) - 1)
    const artifact = store.at(row)
    const field = columns[column - OWN_COLUMNS]
    const go = (to: number, over = column) => move(to, over)
    const actions = {
      up: () => go(row - 1),
      down: () => go(row + 1),
      left: () => go(row, column - 1),
      right: () => go(row, column + 1),
      start: () => go(row, 0),
      end: () => go(row, count - 1),
      top: () => go(0),
      bottom: () => go(size - 1),
      page_up: () => go(Math.max(0, row - page)),
      page_down: () => go(row + page),
      extend_up: () => extend(row - 1),
      extend_down: () => extend(row + 1),
      open: () => (row < 0 ? sort(column) : artifact && props.onOpen(artifact.id)),
      edit: () => artifact && field && props.onEdit(artifact, field),
      choose: () => (row < 0 ? props.onChooseAll() : artifact && props.onChoose(toggled(chosen, artifact.id))),
      choose_all: () => props.onChooseAll(),
      choose_none: () => props.onChoose(new Set()),
      sort: () => sort(column),
      pick_s: () => artifact && props.onPick(artifact, 's'),
      pick_a: () => artifact && props.onPick(artifact, 'a'),
      pick_p: () => artifact && props.onPick(artifact, 'p'),
      pick_d: () => artifact && props.onPick(artifact, 'd'),
      bulk: () => props.onBulk(),
      rank_up: () => rank(row, -1),
      rank_down: () => rank(row, 1),
    }
    const name = toGridKey(event)
    if (!name) return
    event.preventDefault()
    event.stopPropagation()
    actions[name]()
  }
  const extend = (to: number) => {
    if (to < 0 || to >= size) return
    props.onChoose(added(chosen, [store.idAt(active.row), store.idAt(to)]))
    move(to, active.column)
  }
  const rank = (row: number, step: -1 | 1) => {
    const [moved, other] = [store.idAt(row), row + step < 0 ? undefined : store.idAt(row + step)]
    if (!props.onRank) showToast(text('rank.not_by_hand'))
    else if (moved !== undefined && other !== undefined)
      props.onRank(moved, { side: step < 0 ? 'before' : 'after', anchor: other })
  }
  const sort = (column: number) => {
    const field = columns[column - OWN_COLUMNS]
    if (column === 1) props.onSort('@id')
    else if (field && isSortable(field)) props.onSort(field.name)
  }

  const { startDrag, dragged } = useRowDrag({ scroller, store, size, rowHeight, onRank: props.onRank })
  const latest = useRef<RowActions>(undefined)
  latest.current = {
    focus(row, column) {
      move(row, column)
      scroller.current?.focus()
    },
    choose(row, isRange) {
      const artifact = store.at(row)
      if (!artifact) return
      const from = Math.min(active.row, row)
      const many = Array.from({ length: Math.abs(active.row - row) + 1 }, (_, index) => store.idAt(from + index))
      props.onChoose(isRange ? added(chosen, many) : toggled(chosen, artifact.id))
      move(row, 0)
    },
    edit(row, field) {
      const artifact = store.at(row)
      if (artifact) props.onEdit(artifact, field)
    },
  }
  const actions = useMemo<RowActions>(
    () => ({
      focus: (row, column) => latest.current?.focus(row, column),
      choose: (row, isRange) => latest.current?.choose(row, isRange),
      edit: (row, field) => latest.current?.edit(row, field),
    }),
    [],
  )
  const rows = Array.from({ length: Math.max(0, Math.min(seen.to, size) - seen.from) }, (_, index) => seen.from + index)
  // The focused row must be rendered, even when it is scrolled out of view.
  if (active.row >= 0 && active.row < size && !rows.includes(active.row)) rows.push(active.row)
  const cellId = (row: number, column: number) => `${id}-${row}-${column}`
  const { least, shares } = widthsOf(columns, title)
  const heads = [{ name: '@id', label: text('table.id') }, ...columns]
  return (
    <div
      ref={scroller}
      role="grid"
      aria-label={label}
      aria-rowcount={size + 1}
      aria-colcount={count}
      aria-multiselectable
      aria-activedescendant={active.row < size ? cellId(active.row, active.column) : undefined}
      tabIndex={0}
      className={styles['grid']}
      data-empty={size === 0}
      style={{ '--columns': shares, '--least': least }}
      onScroll={look}
      onKeyDown={press}
      onPointerDown={startDrag}
    >
      <div role="rowgroup" className={styles['head']}>
        <div ref={head} role="row" aria-rowindex={1} className={styles['row']}>
          <div
            role="columnheader"
            id={cellId(-1, 0)}
            aria-colindex={1}
            className={styles['cell']}
            data-active={active.row === -1 && active.column === 0}
          >
            <input
              type="checkbox"
              tabIndex={-1}
              aria-label={text('table.choose_all')}
              checked={size > 0 && chosen.size >= size}
              onChange={() => (chosen.size > 0 ? props.onChoose(new Set()) : props.onChooseAll())}
            />
          </div>
          {heads.map((field, index) => {
            const key = order.findIndex(({ name }) => name === field.name)
            const sorted = key === 0 ? (order[key]?.isDescending ? 'descending' : 'ascending') : 'none'
            const canSort = !('type' in field) || isSortable(field)
            return (
              <div
                key={field.name}
                role="columnheader"
                id={cellId(-1, index + 1)}
                aria-colindex={index + 2}
                data-number={'type' in field && isNumber(field)}
                aria-sort={canSort ? sorted : undefined}
                className={canSort ? `${styles['cell']} ${styles['sortable']}` : styles['cell']}
                data-active={active.row === -1 && active.column === index + 1}
                title={canSort ? text('table.sort_by', { field: field.label }) : undefined}
                onClick={() => {
                  move(-1, index + 1)
                  sort(index + 1)
                }}
              >
                <span className={styles['clipped']}>{field.label}</span>
                <span aria-hidden className={styles['arrow']}>
                  {sorted === 'none' ? '' : sorted === 'ascending' ? '↑' : '↓'}
                </span>
              </div>
            )
          })}
        </div>
      </div>
      <div role="rowgroup" className={styles['body']} style={{ height: size * rowHeight }}>
        {rows.map((row) => {
          const artifact = store.at(row)
          return (
            <GridRow
              key={store.idAt(row) ?? `place-${row}`}
              row={row}
              top={row * rowHeight}
              artifact={artifact}
              columns={columns}
              title={title}
              hasGrip={startDrag !== undefined}
              isChosen={artifact !== undefined && chosen.has(artifact.id)}
              active={active.row === row ? active.column : undefined}
              gridId={id}
              editing={editing?.id === artifact?.id ? editing : undefined}
              actions={actions}
            />
          )
        })}
        {dragged && (
          <div
            aria-hidden
            className={styles['slot']}
            style={{ transform: `translateY(${dragged.slot * rowHeight}px)` }}
          />
        )}
      </div>
    </div>
  )
}
