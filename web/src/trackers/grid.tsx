import type { Tracker, TrackerField } from '@waypost/sdk/api'
import { type ReactNode, type Ref, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Peek } from '../peek/use-peek.ts'
import { useHasPeekRoom } from '../shell/use-is-narrow.ts'
import { useShortcuts } from '../shell/use-shortcuts.ts'
import type { ColumnWidths } from './column-widths.ts'
import { fittingColumns, rowParts, widthsOf } from './columns.ts'
import { GridHead } from './grid-head.tsx'
import styles from './grid.module.css'
import { GridRow, type RowActions, treeColumn } from './grid-row.tsx'
import type { GridRows } from './grid-rows.ts'
import { GroupRow, PinnedGroup } from './grouping/group-row.tsx'
import type { ComparedRow } from './past/past-rows.ts'
import { MAX_OFFSET } from './row-loader.ts'
import { added, toggled } from './selection.ts'
import type { TqlSortKey } from './tql/order.ts'
import { useActiveCell } from './use-active-cell.ts'
import { useColumnChanges } from './use-column-changes.ts'
import { type GridHandle, useGridPeek } from './use-grid-peek.ts'
import { type GridCommands, OWN_COLUMNS, useGridKeys } from './use-grid-keys.ts'
import { useRowDrag } from './use-row-drag.ts'
import { useVersion } from './use-rows.ts'

/** Rows rendered above and below the viewport. */
const OVERSCAN_ROWS = 8

interface SeenRows {
  readonly from: number
  readonly to: number
  /** The header that stays in view above the rows of its group. */
  readonly pinned: number | undefined
}

interface Props extends GridCommands {
  ref?: Ref<GridHandle>
  label: string
  loader: GridRows
  columns: readonly TrackerField[]
  tracker: Tracker
  order: readonly TqlSortKey[]
  /** Widths that differ from the usual ones. */
  widths: ColumnWidths
  onReorder: (names: readonly string[]) => void
  onResize: (name: string, width: number) => void
  chosen: ReadonlySet<number>
  /** The edited cell and its editor. */
  editing: { readonly id: number; readonly field: number; readonly editor: ReactNode } | undefined
  /** The panel beside the grid; undefined: there is none. */
  peek?: Peek
  /** Rows of the past, compared with today, by the id of the artifact; they are read only. */
  past?: ReadonlyMap<number, ComparedRow>
}

/** A virtualized grid for up to a hundred thousand rows. */
export function Grid(props: Props) {
  const { label, loader, tracker, order, widths, chosen, editing, peek, past } = props
  const { store } = loader
  const title = tracker.semantics.title?.field_id
  const hasPeekRoom = useHasPeekRoom()
  const [room, setRoom] = useState<{ readonly space: number; readonly rem: number }>()
  // Beside the panel, a part of a column would only be in the way.
  const columns =
    peek?.id === undefined || !hasPeekRoom || room === undefined
      ? props.columns
      : fittingColumns(props.columns, title, widths, room)
  const parts = useMemo(() => rowParts(tracker, columns), [tracker, columns])
  const { groups, tree } = store
  const version = useVersion(loader)
  const size = Math.min(store.size ?? 0, MAX_OFFSET)
  const scroller = useRef<HTMLDivElement>(null)
  const head = useRef<HTMLDivElement>(null)
  const [rowHeight, setRowHeight] = useState(loader.place.rowHeight)
  const [seen, setSeen] = useState<SeenRows>({ from: 0, to: 40, pinned: undefined })
  const id = useId()
  const count = columns.length + OWN_COLUMNS
  const cells = useActiveCell({ loader, version, size, columns: count, rowHeight, scroller })
  const { hold } = cells
  // Its column may have no room beside the panel.
  const active = cells.active.column < count ? cells.active : { row: cells.active.row, column: count - 1 }
  const focus = () => scroller.current?.focus()
  const { move, toggle: togglePeek } = useGridPeek({
    handle: props.ref,
    peek,
    store,
    version,
    size,
    active,
    move: cells.move,
    focus,
  })

  const look = () => {
    const { current: element } = scroller
    if (!element) return
    const space = element.clientWidth
    if (peek?.id !== undefined && space !== room?.space) setRoom({ space, rem: remInPixels() })
    const height = head.current?.offsetHeight ?? rowHeight
    if (height !== rowHeight) setRowHeight(height)
    const first = Math.floor(element.scrollTop / height)
    const last = Math.ceil((element.scrollTop + element.clientHeight - height) / height)
    const from = Math.max(0, first - OVERSCAN_ROWS)
    const to = Math.min(size, last + OVERSCAN_ROWS)
    hold(first)
    Object.assign(loader.place, { top: element.scrollTop, rowHeight: height })
    const start = groups?.startOf(first)
    const pinned = start !== undefined && start * height < element.scrollTop ? start : undefined
    if (from !== seen.from || to !== seen.to || pinned !== seen.pinned) setSeen({ from, to, pinned })
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
  const { startDrag, dragged } = useRowDrag({ scroller, store, size, rowHeight, onRank: props.onRank })
  const {
    preview,
    slot,
    startDrag: startColumnDrag,
    startResize,
    moveBy,
    resizeBy,
  } = useColumnChanges({
    scroller,
    columns,
    onReorder: (names) => props.onReorder([...names, ...props.columns.slice(columns.length).map(({ name }) => name)]),
    onResize: props.onResize,
  })
  const { press, toggle, sort } = useGridKeys({
    commands: props,
    store,
    size,
    columns,
    titleColumn: treeColumn(columns, title) + OWN_COLUMNS,
    chosen,
    rowHeight,
    scroller,
    active,
    move,
    peek,
    togglePeek,
    moveColumn: moveBy,
    resizeColumn: resizeBy,
  })
  const toggleAt = (row: number) => {
    move(row, groups ? 0 : active.column)
    toggle(row)
    scroller.current?.focus()
  }
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
    peek(row) {
      move(row, active.column)
      togglePeek(row)
      scroller.current?.focus()
    },
    toggle: toggleAt,
  }
  const actions = useMemo<RowActions>(
    () => ({
      focus: (row, column) => latest.current?.focus(row, column),
      choose: (row, isRange) => latest.current?.choose(row, isRange),
      edit: (row, field) => latest.current?.edit(row, field),
      peek: (row) => latest.current?.peek(row),
      toggle: (row) => latest.current?.toggle(row),
    }),
    [],
  )
  const rows = Array.from({ length: Math.max(0, Math.min(seen.to, size) - seen.from) }, (_, index) => seen.from + index)
  // The focused row must be rendered, even when it is scrolled out of view.
  if (active.row >= 0 && active.row < size && !rows.includes(active.row)) rows.push(active.row)
  const pinned = seen.pinned === undefined ? undefined : groups?.headerAt(seen.pinned)
  const activeColumn = groups?.headerAt(active.row) ? 0 : active.column
  const cellId = (row: number, column: number) => `${id}-${row}-${column}`
  const { least, shares } = widthsOf(
    columns,
    title,
    preview ? new Map(widths).set(preview.name, preview.width) : widths,
    past !== undefined,
  )
  return (
    <div
      ref={scroller}
      role={tree ? 'treegrid' : 'grid'}
      aria-label={label}
      aria-rowcount={size + 1}
      aria-colcount={count}
      aria-multiselectable={past ? undefined : true}
      aria-activedescendant={active.row < size ? cellId(active.row, activeColumn) : undefined}
      tabIndex={0}
      className={styles['grid']}
      data-empty={size === 0}
      style={{ '--columns': shares, '--least': least }}
      onScroll={look}
      onKeyDown={press}
      onPointerDown={startDrag}
    >
      <GridHead
        row={head}
        {...{ columns, order, active, cellId, slot }}
        isAllChosen={past ? undefined : size > 0 && chosen.size >= (groups?.total ?? tree?.total ?? size)}
        onChooseAll={() => (chosen.size > 0 ? props.onChoose(new Set()) : props.onChooseAll())}
        onPress={(column) => {
          move(-1, column)
          sort(column)
        }}
        onDrag={startColumnDrag}
        onResize={startResize}
      />
      {groups && pinned && (
        <PinnedGroup
          group={pinned}
          grouping={groups.grouping}
          onToggle={() => seen.pinned !== undefined && toggleAt(seen.pinned)}
        />
      )}
      <div role="rowgroup" className={styles['body']} style={{ height: size * rowHeight }}>
        {rows.map((row) => {
          const artifact = store.at(row)
          const group = groups?.headerAt(row)
          const top = row * rowHeight
          if (group && groups)
            return (
              <GroupRow
                key={`group ${group.name}`}
                grouping={groups.grouping}
                {...{ row, top, group }}
                columns={count}
                isActive={active.row === row}
                gridId={id}
                onToggle={() => toggleAt(row)}
              />
            )
          // In groups by several values, and below several parents, a row can appear twice.
          const isHere = editing?.id === artifact?.id && (!(groups ?? tree) || active.row === row)
          return (
            <GridRow
              key={((groups ?? tree) ? undefined : store.idAt(row)) ?? `place-${row}`}
              row={row}
              top={top}
              artifact={artifact}
              columns={columns}
              title={title}
              parts={parts}
              hasGrip={startDrag !== undefined}
              isPeeked={artifact !== undefined && artifact.id === peek?.id}
              isChosen={artifact !== undefined && chosen.has(artifact.id)}
              active={active.row === row ? active.column : undefined}
              gridId={id}
              editing={isHere ? editing : undefined}
              level={tree?.levelAt(row)}
              childCount={artifact ? tree?.childCount(artifact.id) : undefined}
              isExpanded={artifact ? tree?.isExpanded(artifact.id) : undefined}
              isPast={past !== undefined}
              compared={artifact && past?.get(artifact.id)}
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

function remInPixels(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
}
