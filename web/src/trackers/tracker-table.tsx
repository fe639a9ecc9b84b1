import { Link, useRouter } from '@tanstack/react-router'
import { Refusal } from '@waypost/sdk/answer'
import type { Artifact, Tracker, TrackerField } from '@waypost/sdk/api'
import { PanelRight, Plus, Rows3, SearchX } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { useSession } from '../accounts/session.ts'
import { text as artifactText } from '../artifacts/messages.ts'
import { findKeyField, type PickerKey } from '../artifacts/key-fields.ts'
import { PickSearch } from '../artifacts/pick-search.tsx'
import { providePickSearch } from '../artifacts/pick.tsx'
import { Button, buttonClass } from '../design/button.tsx'
import { Icon } from '../design/icon.tsx'
import { Empty, Hidden, Loading } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import { mayUpdate } from '../field-types/drafts.ts'
import { PeekBeside } from '../peek/peek-beside.tsx'
import { usePeek } from '../peek/use-peek.ts'
import { Download } from '../shell/download.tsx'
import { lazyPart } from '../design/lazy-part.tsx'
import { useIsNarrow } from '../shell/use-is-narrow.ts'
import { showToast } from '../design/toasts.ts'
import { text } from './messages.ts'
import { BulkBar } from './bulk-bar.tsx'
import { BulkEdit } from './bulk-edit.tsx'
import { MAX_BULK_ARTIFACTS } from './bulk-plan.ts'
import { CellEditor } from './cell-editor.tsx'
import { ColumnPicker } from './column-picker.tsx'
import { writeWidths } from './column-widths.ts'
import { FilterBar } from './filter-bar.tsx'
import { Grid } from './grid.tsx'
import type { GridRows } from './grid-rows.ts'
import { GroupPick } from './grouping/group-pick.tsx'
import { MAX_GROUPS } from './grouping/grouped-rows.ts'
import { MoreMenu } from './more-menu.tsx'
import { OrderPick } from './order-pick.tsx'
import { isOfQuery } from './query-faults.ts'
import { RefusedQuery } from './refused-query.tsx'
import { OpenTablePast } from './past/open-table-past.tsx'
import { rankRow } from './rank-rows.ts'
import { ReportDialog, Reports, SaveReport } from './reports.tsx'
import { MAX_OFFSET } from './row-loader.ts'
import type { Beside } from './row-store.ts'
import { tableCalls } from './table-calls.ts'
import { collectIds } from './selection.ts'
import styles from './toolbar.module.css'
import { cycleOrder, isOrderedByHand } from './tql/order.ts'
import { useCellEditing } from './use-cell-editing.ts'
import type { GridHandle } from './use-grid-peek.ts'
import { useRememberedPeek } from './use-remembered-peek.ts'
import { useIsLive, useRows, useVersion } from './use-rows.ts'
import { type TableView, useTableView } from './use-table-view.ts'
import { NO_GROUP, type TableSearch } from './table-search.ts'
import { formatNumber } from '../messages/format-number.ts'

const PinReport = lazyPart(async () => (await import('../dashboards/pin-report.tsx')).PinReport, {
  close: ({ onClose }) => onClose(),
})

const PastTable = lazyPart(async () => (await import('./past/past-table.tsx')).PastTable, { fallback: <Loading /> })

providePickSearch(PickSearch)

/** The artifacts of a tracker, with filter and order from the address. */
export function TrackerTable({ tracker }: { tracker: Tracker }) {
  const { view, change, open, isWaiting, error, again } = useTableView(tracker)
  if (isWaiting) return <Loading />
  return (
    <>
      {error && <RefusalNotice error={error} onRetry={() => void again()} />}
      {view.at === undefined ? (
        <Table tracker={tracker} view={view} onChange={change} onOpenReport={open} />
      ) : (
        <PastTable tracker={tracker} view={view} at={view.at} onChange={change} onOpenReport={open} />
      )}
    </>
  )
}

interface Props {
  tracker: Tracker
  view: TableView
  onChange: (next: TableSearch) => void
  onOpenReport: (report: number | undefined) => void
}

function Table({ tracker, view, onChange, onOpenReport }: Props) {
  const { history } = useRouter()
  const { data: session } = useSession()
  const [isPicking, setPicking] = useState(false)
  const [bulk, setBulk] = useState<{ readonly first: TrackerField | undefined }>()
  const [isPinning, setPinning] = useState(false)
  const [naming, setNaming] = useState<'new' | 'open'>()
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const { query, columns, group, report, isOpaque } = view
  const { loader, failure, again } = useRows(view.key, view.load)
  const { edit, begin, end, save } = useCellEditing(loader)
  const isNarrow = useIsNarrow()
  const peek = usePeek()
  const grid = useRef<GridHandle>(null)
  useRememberedPeek(peek, loader)
  const pick = (artifact: Artifact, key: PickerKey) => {
    const field = findKeyField(tracker, key)
    if (field) begin(artifact, field)
    else showToast(artifactText(`pick.no_${key}`))
  }
  const ask = (q: string) => onChange({ q: q === '' && !report ? undefined : q })
  const chooseAll = async () => {
    const { ids, isCut } = await collectIds(view.source, MAX_BULK_ARTIFACTS)
    setChosen(new Set(ids))
    if (isCut) showToast(text('bulk.most', { count: formatNumber(MAX_BULK_ARTIFACTS) }))
  }
  const mayRank = Boolean(session) && !group && !view.isTree && isOrderedByHand(view) && tracker.fields.some(mayUpdate)
  const rank = (id: number, to: Beside) => {
    const name = loader?.store.find(id)?.xref
    if (loader && name !== undefined) void rankRow(loader, { tracker: tracker.id, id, name, to })
  }
  const names = columns.map(({ name }) => name)
  const shown = isOpaque ? undefined : { query, columns: names, widths: view.widths, group }
  const reporting = { tracker, report, shown, onOpen: onOpenReport }
  const startNaming = (which: 'new' | 'open', close: () => void) => {
    close()
    setNaming(which)
  }
  const known = peek.id === undefined ? undefined : loader?.store.find(peek.id)
  const editing = edit && {
    id: edit.id,
    field: edit.field.field_id,
    editor: <CellEditor edit={edit} onSave={(base, draft) => void save(edit, base, draft)} onEnd={end} />,
  }
  return (
    <>
      {isOpaque && report && <p>{text('filter.of_report', { label: report.label })}</p>}
      <FilterBar
        tracker={tracker}
        query={query}
        failure={failure}
        onChange={ask}
        start={<Reports tracker={tracker} report={report} onOpen={onOpenReport} />}
        count={<Count loader={loader} />}
        end={
          <>
            {session && shown && view.isChanged && (
              <SaveReport tracker={tracker} report={report} shown={shown} onName={() => setNaming('new')} />
            )}
            <MoreMenu calls={tableCalls(tracker.id, view)}>
              {(close) => (
                <>
                  {session && !isOpaque && (
                    <Button onPress={() => startNaming('new', close)}>{text('reports.save_as')}</Button>
                  )}
                  {session && report?.definition && (
                    <Button onPress={() => startNaming('open', close)}>{text('reports.change')}</Button>
                  )}
                  {session && report && (
                    <Button
                      onPress={() => {
                        close()
                        setPinning(true)
                      }}
                    >
                      {text('reports.pin')}
                    </Button>
                  )}
                  <Download
                    path={view.exportPath}
                    name={`${report?.label ?? tracker.item_name}.csv`}
                    accept="text/csv"
                    label={text('table.export.hint')}
                  >
                    {text('table.export')}
                  </Download>
                </>
              )}
            </MoreMenu>
          </>
        }
      >
        {!isOpaque && (
          <GroupPick
            tracker={tracker}
            chosen={group}
            isTree={view.isTree}
            onChange={(next) => onChange({ group: next ?? (report ? NO_GROUP : undefined) })}
          />
        )}
        {!isOpaque && <OrderPick query={query} onChange={ask} />}
        <Button kind="quiet" onPress={() => setPicking(true)}>
          {text('table.columns')}
        </Button>
        {!isOpaque && <OpenTablePast tracker={tracker.id} onOpen={(at) => onChange({ at })} />}
        {!isNarrow && (
          <Button
            kind="icon"
            aria-label={text('table.peek_panel')}
            aria-pressed={peek.id !== undefined}
            onPress={() => grid.current?.togglePeek()}
          >
            <Icon of={PanelRight} />
          </Button>
        )}
      </FilterBar>
      {failure && !isOfQuery(failure) && <RefusalNotice error={new Refusal(failure)} onRetry={again} />}
      {isOfQuery(failure) && <RefusedQuery onClear={() => ask('')} />}
      {!loader && !failure && <Loading />}
      {loader && (
        <PeekBeside
          id={peek.id}
          known={known && { artifact: known, tracker }}
          onStep={(by) => grid.current?.step(by)}
          onLeave={() => grid.current?.focus()}
          onClose={peek.close}
        >
          <Grid
            ref={grid}
            peek={peek}
            label={tracker.label}
            loader={loader}
            columns={group && columns.length > 1 ? columns.filter((field) => field !== group.field) : columns}
            tracker={tracker}
            order={view.order}
            widths={view.widths}
            onReorder={(next) => onChange({ columns: withHidden(next, names).join() })}
            onResize={(name, width) => onChange({ widths: writeWidths(new Map(view.widths).set(name, width)) })}
            chosen={chosen}
            editing={editing}
            onSort={(name) => (isOpaque ? showToast(text('reports.order')) : ask(cycleOrder(query, name)))}
            onChoose={setChosen}
            onChooseAll={() => void chooseAll()}
            onOpen={(id) => history.push(`/artifacts/${id}`)}
            onEdit={begin}
            onPick={pick}
            onBulk={() => setBulk(chosen.size > 0 ? { first: undefined } : undefined)}
            onRank={mayRank ? rank : undefined}
          />
        </PeekBeside>
      )}
      {loader && (
        <Nothing
          loader={loader}
          isFiltered={query !== ''}
          onClear={() => ask('')}
          create={session && <CreateFirst tracker={tracker.id} />}
        />
      )}
      {chosen.size > 0 && (
        <BulkBar
          tracker={tracker}
          count={chosen.size}
          onEdit={(first) => setBulk({ first })}
          onClear={() => {
            setChosen(new Set())
            grid.current?.focus()
          }}
        />
      )}
      {bulk && (
        <BulkEdit
          tracker={tracker}
          ids={chosen}
          first={bulk.first}
          onWritten={() => setChosen(new Set())}
          onClose={() => setBulk(undefined)}
        />
      )}
      {naming && <ReportDialog {...reporting} isNew={naming === 'new'} onClose={() => setNaming(undefined)} />}
      {isPinning && report && <PinReport tracker={tracker} report={report} onClose={() => setPinning(false)} />}
      {isPicking && (
        <ColumnPicker
          tracker={tracker}
          columns={columns}
          onChange={(next) => onChange({ columns: next?.join() })}
          onClose={() => setPicking(false)}
        />
      )}
    </>
  )
}

function CreateFirst({ tracker }: { readonly tracker: number }) {
  return (
    <Link to="/trackers/$tracker/new" params={{ tracker: String(tracker) }} className={buttonClass('primary')}>
      <Icon of={Plus} />
      {text('new.artifact')}
    </Link>
  )
}

/** The column of the groups is hidden, and keeps its place. */
function withHidden(shown: readonly string[], names: readonly string[]): readonly string[] {
  return names.reduce((all, name, index) => (all.includes(name) ? all : all.toSpliced(index, 0, name)), shown)
}

function Count({ loader }: { loader: GridRows | undefined }) {
  useVersion(loader)
  const isLive = useIsLive(loader)
  const { groups, tree, size: loaded } = loader?.store ?? {}
  const size = groups?.total ?? tree?.total ?? loaded
  return (
    <p className={styles['count']}>
      {size !== undefined && <span role="status">{text('table.rows', { count: size })}</span>}
      {loader && (
        <span
          className={styles['live']}
          data-live={isLive}
          title={text(isLive ? 'table.live.hint' : 'table.not_live.hint')}
        >
          <Hidden>{text(isLive ? 'table.live' : 'table.not_live')}</Hidden>
        </span>
      )}
    </p>
  )
}

interface NothingProps {
  readonly loader: GridRows
  readonly isFiltered: boolean
  readonly onClear: () => void
  /** The next step in an empty tracker. */
  readonly create: ReactNode
}

function Nothing({ loader, isFiltered, onClear, create }: NothingProps) {
  useVersion(loader)
  const { size = 0, groups, tree } = loader.store
  if (groups?.isCut) return <p>{text('group.first_only', { count: formatNumber(MAX_GROUPS) })}</p>
  if (tree?.isCut) return <p>{text('branch.first_only', { count: formatNumber(MAX_GROUPS) })}</p>
  if (size > MAX_OFFSET) return <p>{text('table.first_only', { count: formatNumber(MAX_OFFSET) })}</p>
  if (size > 0) return null
  const clear = <Button onPress={onClear}>{text('table.clear')}</Button>
  return (
    <Empty icon={isFiltered ? SearchX : Rows3} action={isFiltered ? clear : create}>
      {text(isFiltered ? 'table.none_found' : 'table.none')}
    </Empty>
  )
}
