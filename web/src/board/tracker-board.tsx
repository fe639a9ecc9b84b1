import { useNavigate, useSearch } from '@tanstack/react-router'
import { Refusal } from '@waypost/sdk/answer'
import type { Tracker, TrackerField } from '@waypost/sdk/api'
import { useRef, useState } from 'react'
import { useSession } from '../accounts/session.ts'
import type { ChoiceKey } from '../artifacts/choices.ts'
import { mayUpdate } from '../field-types/drafts.ts'
import { useStatusProgress } from '../field-types/status.tsx'
import { Button } from '../design/button.tsx'
import type { SnippetCall } from '../design/api-snippets.tsx'
import { ChoiceMenu } from '../design/choice-menu.tsx'
import { Empty, Hidden, Loading } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import { PeekBeside } from '../peek/peek-beside.tsx'
import { usePeek } from '../peek/use-peek.ts'
import { ColumnPicker } from '../trackers/column-picker.tsx'
import { FilterBar } from '../trackers/filter-bar.tsx'
import { MoreMenu } from '../trackers/more-menu.tsx'
import { OrderPick } from '../trackers/order-pick.tsx'
import { isOfQuery } from '../trackers/query-faults.ts'
import { RefusedQuery } from '../trackers/refused-query.tsx'
import type { RowLoader } from '../trackers/row-loader.ts'
import { tableQuestion } from '../trackers/table-source.ts'
import toolbar from '../trackers/toolbar.module.css'
import { isOrderedByHand, splitOrder } from '../trackers/tql/order.ts'
import { useIsLive } from '../trackers/use-rows.ts'
import { text } from './messages.ts'
import { Board } from './board.tsx'
import type { BoardHandle } from './board-props.ts'
import { type BoardFields, boardFieldsOf, possibleColumnFields, possibleLaneFields } from './board-fields.ts'
import styles from './board.module.css'
import { type BoardSearch, readBoardSearch } from './board-search.ts'
import type { Layout } from './board-layout.ts'
import { useCollapsedColumns } from './collapsed-columns.ts'
import { boardQuestion, MAX_CARDS, useBoard } from './use-board.ts'
import { formatNumber } from '../messages/format-number.ts'

/** The artifacts of a tracker as cards, with the filter from the address. */
export function TrackerBoard({ tracker }: { tracker: Tracker }) {
  const search = useSearch({ from: '/shell/trackers/$id/board', select: readBoardSearch, structuralSharing: true })
  const fields = boardFieldsOf(tracker, search)
  if (!fields) return <Empty>{text('board.no_list')}</Empty>
  return <FilledBoard tracker={tracker} asked={fields} query={search.q ?? ''} />
}

function FilledBoard({ tracker, asked, query }: { tracker: Tracker; asked: BoardFields; query: string }) {
  const navigate = useNavigate({ from: '/trackers/$id/board' })
  const { data: session } = useSession()
  const [isPicking, setPicking] = useState(false)
  const peek = usePeek()
  const board = useRef<BoardHandle>(null)
  const { loader, failure, again, fields, layout, isCut, totals } = useBoard(tracker, query, asked)
  const known = peek.id === undefined ? undefined : loader?.store.find(peek.id)
  const change = (next: BoardSearch) =>
    void navigate({ search: (before) => ({ ...before, ...next }), replace: true, resetScroll: false })
  const ask = (q: string) => change({ q: q === '' ? undefined : q })
  const mayMove = Boolean(session) && [fields.columns, fields.lanes].some((field) => field && mayUpdate(field))
  // Without a filter, the columns of an empty board are shown: cards can be added there.
  const isNothingFound = loader?.store.size === 0 && splitOrder(query).where !== ''
  const collapsed = useCollapsedColumns(fields.columns.field_id, useIsClosed(fields.columns, layout))
  return (
    <>
      <FilterBar tracker={tracker} query={query} failure={failure} onChange={ask} count={<Count loader={loader} />}>
        <FieldPick
          label={text('board.columns_by')}
          fields={possibleColumnFields(tracker)}
          chosen={asked.columns}
          onChoose={(name) => change({ by: name, ...(asked.lanes?.name === name && { lanes: undefined }) })}
        />
        <FieldPick
          label={text('board.lanes_by')}
          fields={possibleLaneFields(tracker, asked.columns)}
          chosen={asked.lanes}
          none={text('board.no_lanes')}
          onChoose={(name) => change({ lanes: name })}
        />
        <OrderPick query={query} onChange={ask} />
        <Button kind="quiet" onPress={() => setPicking(true)}>
          {text('board.fields')}
        </Button>
        <MoreMenu calls={callsOf(tracker, query, fields)} />
      </FilterBar>
      {failure && !isOfQuery(failure) && <RefusalNotice error={new Refusal(failure)} onRetry={again} />}
      {isOfQuery(failure) && <RefusedQuery onClear={() => ask('')} />}
      {!loader && !failure && <Loading />}
      {isCut && <p>{text('board.first_only', { count: formatNumber(MAX_CARDS) })}</p>}
      {isNothingFound && (
        <Empty action={<Button onPress={() => ask('')}>{text('table.clear')}</Button>}>
          {text('table.none_found')}
        </Empty>
      )}
      {loader && !isNothingFound && (
        <>
          <Jumps layout={layout} onJump={(key) => collapsed.setCollapsed(key, false)} />
          <PeekBeside
            id={peek.id}
            known={known && { artifact: known, tracker }}
            onStep={(by) => board.current?.step(by)}
            onLeave={() => board.current?.focus()}
            onClose={peek.close}
          >
            <Board
              ref={board}
              {...{ tracker, fields, layout, loader, totals, collapsed, mayMove, peek }}
              isByHand={isOrderedByHand(splitOrder(query))}
            />
          </PeekBeside>
        </>
      )}
      {isPicking && (
        <ColumnPicker
          tracker={tracker}
          columns={asked.cards}
          title={text('board.fields.title')}
          onChange={(names) => change({ cards: names?.join() })}
          onClose={() => setPicking(false)}
        />
      )}
    </>
  )
}

/** Columns of closed values start collapsed, unless all cards are in them. */
function useIsClosed(by: TrackerField, { columns }: Layout): (key: ChoiceKey | undefined) => boolean {
  const progressOf = useStatusProgress(by.field_id)
  const isClosed = (key: ChoiceKey | undefined) => key !== undefined && typeof (progressOf?.(key) ?? 0) !== 'number'
  const filled = columns.filter(({ count }) => count > 0)
  const isAllClosed = filled.length > 0 && filled.every(({ key }) => isClosed(key))
  return (key) => isClosed(key) && !isAllClosed
}

interface FieldPickProps {
  label: string
  fields: readonly TrackerField[]
  chosen: TrackerField | undefined
  /** The label for no field; undefined if one is required. */
  none?: string
  onChoose: (name: string | undefined) => void
}

function FieldPick({ label, fields, chosen, none, onChoose }: FieldPickProps) {
  const options = fields.map(({ name, label: shown }) => ({ value: name, label: shown }))
  return (
    <ChoiceMenu
      label={label}
      isQuiet
      value={chosen?.name ?? ''}
      options={none === undefined ? options : [{ value: '', label: none }, ...options]}
      onChange={(name) => onChoose(name === '' ? undefined : name)}
    />
  )
}

function Count({ loader }: { loader: RowLoader | undefined }) {
  const isLive = useIsLive(loader)
  const size = loader?.store.size
  return (
    <p className={toolbar['count']}>
      {size !== undefined && <span role="status">{text('board.cards', { count: size })}</span>}
      {loader && (
        <span
          className={toolbar['live']}
          data-live={isLive}
          title={text(isLive ? 'table.live.hint' : 'table.not_live.hint')}
        >
          <Hidden>{text(isLive ? 'table.live' : 'table.not_live')}</Hidden>
        </span>
      )}
    </p>
  )
}

/** On narrow screens one column is visible; these links jump to the others. */
function Jumps({ layout, onJump }: { layout: Layout; onJump: (key: ChoiceKey | undefined) => void }) {
  return (
    <nav className={styles['jumps']} aria-label={text('board.columns')}>
      {layout.columns.map(({ key, label, count }, index) => (
        <button
          key={String(key)}
          type="button"
          onClick={() => {
            onJump(key)
            document.querySelector(`[data-head="${index}"]`)?.scrollIntoView({ inline: 'start', block: 'nearest' })
          }}
        >
          {label} <span>{formatNumber(count)}</span>
        </button>
      ))}
    </nav>
  )
}

function callsOf(tracker: Tracker, query: string, fields: BoardFields): readonly SnippetCall[] {
  const { columns } = fields
  return [
    {
      label: text('board.call'),
      operation: 'GET /trackers/{id}/artifacts',
      path: { id: tracker.id },
      query: { ...tableQuestion(boardQuestion(tracker, query, fields)), limit: MAX_CARDS },
    },
    {
      label: text('board.call_counts'),
      operation: 'GET /trackers/{id}/artifacts/groups',
      path: { id: tracker.id },
      query: { by: columns.name, ...(query !== '' && { expert_query: query }) },
    },
  ]
}
