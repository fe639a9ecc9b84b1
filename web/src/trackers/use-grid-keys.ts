import type { Artifact, TrackerField } from '@waypost/sdk/api'
import type { KeyboardEvent, RefObject } from 'react'
import type { PickerKey } from '../artifacts/key-fields.ts'
import type { Peek } from '../peek/use-peek.ts'
import { showToast } from '../design/toasts.ts'
import { useSequenceGuard } from '../shell/use-shortcuts.ts'
import { isSortable } from './columns.ts'
import { toGridKey } from './grid-keys.ts'
import type { GridStore } from './grid-rows.ts'
import { text } from './messages.ts'
import type { Beside } from './row-store.ts'
import { added, toggled } from './selection.ts'
import type { GridCell } from './use-active-cell.ts'

/** The check box and the reference, before the fields. */
export const OWN_COLUMNS = 2

/** The actions of the keys and controls of a grid. */
export interface GridCommands {
  onSort: (name: string) => void
  onChoose: (chosen: ReadonlySet<number>) => void
  onChooseAll: () => void
  onOpen: (id: number) => void
  onEdit: (artifact: Artifact, field: TrackerField) => void
  /** Opens the picker of the status, assignee, priority or due date. */
  onPick: (artifact: Artifact, key: PickerKey) => void
  onBulk: () => void
  /** Leaves the view; absent: Escape selects nothing. */
  onEscape?: () => void
  /** Moves a row in an order by hand; undefined: the rows have another order. */
  onRank: ((id: number, to: Beside) => void) | undefined
}

interface Options {
  readonly commands: GridCommands
  readonly store: GridStore
  readonly size: number
  readonly columns: readonly TrackerField[]
  /** The column that shows the branches of a tree. */
  readonly titleColumn: number
  readonly chosen: ReadonlySet<number>
  readonly peek: Peek | undefined
  readonly togglePeek: (row: number) => void
  readonly rowHeight: number
  readonly scroller: RefObject<HTMLElement | null>
  readonly active: GridCell
  readonly move: (row: number, column: number) => void
  readonly moveColumn: (column: number, step: -1 | 1) => void
  readonly resizeColumn: (column: number, step: -1 | 1) => void
}

/** The keys of a grid. */
export function useGridKeys(options: Options) {
  const { commands, store, size, columns, chosen, rowHeight, scroller, active, move, peek } = options
  const { groups, tree } = store
  const isInSequence = useSequenceGuard()
  const press = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || isInSequence(event)) return
    const { row, column } = active
    const page = Math.max(1, Math.floor(((scroller.current?.clientHeight ?? 400) - rowHeight) / rowHeight) - 1)
    const artifact = store.at(row)
    const field = columns[column - OWN_COLUMNS]
    const group = groups?.headerAt(row)
    const isOnBranch = tree !== undefined && column > 0 && column <= options.titleColumn
    // Undefined: the row has no children.
    const isOpen = artifact && tree && tree.childCount(artifact.id) > 0 ? tree.isExpanded(artifact.id) : undefined
    const go = (to: number, over = column) => move(to, over)
    const actions = {
      up: () => go(row - 1),
      down: () => go(row + 1),
      left: () => {
        const above = isOnBranch ? tree?.parentPlace(row) : undefined
        if (group || (isOnBranch && isOpen)) toggle(row, true)
        else go(above ?? row, above === undefined ? column - 1 : column)
      },
      right: () => (group || (isOnBranch && isOpen === false) ? toggle(row, false) : go(row, column + 1)),
      start: () => go(row, 0),
      end: () => go(row, columns.length + OWN_COLUMNS - 1),
      top: () => go(0),
      bottom: () => go(size - 1),
      page_up: () => go(Math.max(0, row - page)),
      page_down: () => go(row + page),
      extend_up: () => extend(row - 1),
      extend_down: () => extend(row + 1),
      open: () => (row < 0 ? sort(column) : group ? toggle(row) : artifact && commands.onOpen(artifact.id)),
      edit: () => artifact && field && commands.onEdit(artifact, field),
      choose: () => (row < 0 ? commands.onChooseAll() : artifact && commands.onChoose(toggled(chosen, artifact.id))),
      choose_all: () => commands.onChooseAll(),
      peek: () => (peek ? options.togglePeek(row) : actions.choose()),
      // Escape leaves the nearest layer.
      choose_none: () => {
        if (peek?.id !== undefined) peek.close()
        else if (commands.onEscape) commands.onEscape()
        else commands.onChoose(new Set())
      },
      sort: () => sort(column),
      pick_s: () => artifact && commands.onPick(artifact, 's'),
      pick_a: () => artifact && commands.onPick(artifact, 'a'),
      pick_p: () => artifact && commands.onPick(artifact, 'p'),
      pick_d: () => artifact && commands.onPick(artifact, 'd'),
      bulk: () => commands.onBulk(),
      rank_up: () => rank(row, -1),
      rank_down: () => rank(row, 1),
      column_left: () => changeColumn(options.moveColumn, -1),
      column_right: () => changeColumn(options.moveColumn, 1),
      narrow: () => changeColumn(options.resizeColumn, -1),
      widen: () => changeColumn(options.resizeColumn, 1),
    }
    const name = toGridKey(event)
    if (!name) return
    event.preventDefault()
    event.stopPropagation()
    actions[name]()
  }
  const toggle = (row: number, isCollapsed?: boolean) => {
    const group = groups?.headerAt(row)
    if (group) groups?.setCollapsed(group.name, isCollapsed ?? !group.isCollapsed)
    const id = store.idAt(row)
    if (tree && id !== undefined) tree.setExpanded(id, isCollapsed === undefined ? !tree.isExpanded(id) : !isCollapsed)
  }
  const changeColumn = (change: (column: number, step: -1 | 1) => void, step: -1 | 1) => {
    const column = active.column - OWN_COLUMNS
    if (active.row >= 0 || column < 0) return
    change(column, step)
    const next = column + step
    if (change === options.moveColumn && next >= 0 && next < columns.length) move(-1, active.column + step)
  }
  const extend = (to: number) => {
    if (to < 0 || to >= size) return
    commands.onChoose(added(chosen, [store.idAt(active.row), store.idAt(to)]))
    move(to, active.column)
  }
  const rank = (row: number, step: -1 | 1) => {
    const [moved, other] = [store.idAt(row), row + step < 0 ? undefined : store.idAt(row + step)]
    if (!commands.onRank) showToast(text('rank.not_by_hand'))
    else if (moved !== undefined && other !== undefined)
      commands.onRank(moved, { side: step < 0 ? 'before' : 'after', anchor: other })
  }
  const sort = (column: number) => {
    const field = columns[column - OWN_COLUMNS]
    if (column === 1) commands.onSort('@id')
    else if (field && isSortable(field)) commands.onSort(field.name)
  }
  return { press, toggle, sort }
}
