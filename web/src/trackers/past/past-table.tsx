import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { Refusal } from '@waypost/sdk/answer'
import type { Tracker } from '@waypost/sdk/api'
import { History } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../design/button.tsx'
import { Empty, Loading } from '../../design/page.tsx'
import { RefusalNotice } from '../../design/refusal.tsx'
import { Download } from '../../shell/download.tsx'
import { showToast } from '../../design/toasts.ts'
import { ColumnPicker } from '../column-picker.tsx'
import { writeWidths } from '../column-widths.ts'
import { FilterBar } from '../filter-bar.tsx'
import { Grid } from '../grid.tsx'
import { MoreMenu } from '../more-menu.tsx'
import { OrderPick } from '../order-pick.tsx'
import { isOfQuery } from '../query-faults.ts'
import { RefusedQuery } from '../refused-query.tsx'
import { Reports } from '../reports.tsx'
import type { TableSearch } from '../table-search.ts'
import toolbar from '../toolbar.module.css'
import { cycleOrder } from '../tql/order.ts'
import { useRows, useVersion } from '../use-rows.ts'
import type { TableView } from '../use-table-view.ts'
import { text } from './messages.ts'
import { loadPastRows, type PastRows } from './past-rows.ts'
import { pastExportPath, pastQuestion, presentSizeQuery } from './past-table-query.ts'

interface Props {
  readonly tracker: Tracker
  readonly view: TableView
  readonly at: string
  readonly onChange: (next: TableSearch) => void
  readonly onOpenReport: (report: number | undefined) => void
}

const NOTHING_CHOSEN = new Set<number>()

/** The table as it was at a moment: read only, and cells that are different today show both values. */
export function PastTable(props: Props) {
  const { tracker, view, onOpenReport } = props
  if (!view.isOpaque) return <PastRowsTable {...props} />
  return (
    <>
      <Reports tracker={tracker} report={view.report} onOpen={onOpenReport} />
      <Empty icon={History}>{text('past.opaque')}</Empty>
    </>
  )
}

function PastRowsTable({ tracker, view, at, onChange, onOpenReport }: Props) {
  const { history } = useRouter()
  const [isPicking, setPicking] = useState(false)
  const { query, columns, report } = view
  const asked = { tracker: tracker.id, query, columns }
  const names = columns.map(({ name }) => name)
  const key = JSON.stringify(['past', tracker.id, query, names.toSorted(), at])
  const { loader, failure, again } = useRows(key, () => loadPastRows(tracker, asked, at))
  const call = {
    label: text('table.call'),
    operation: 'GET /trackers/{id}/artifacts',
    path: { id: tracker.id },
    query: { ...pastQuestion(asked, at), values_as_of: 'true', limit: 100 },
  }
  const ask = (q: string) => onChange({ q: q === '' && !report ? undefined : q })
  const leave = () => onChange({ at: undefined })
  const refuse = () => showToast(text('past.no_changes'))
  const open = (id: number) => {
    const version = loader?.compared.get(id)?.version
    history.push(`/artifacts/${id}${version === undefined ? '' : `?version=${version}`}`)
  }
  return (
    <>
      <FilterBar
        tracker={tracker}
        query={query}
        failure={failure}
        onChange={ask}
        start={<Reports tracker={tracker} report={report} onOpen={onOpenReport} />}
        count={<PastCount loader={loader} tracker={tracker.id} query={query} />}
      >
        <OrderPick query={query} onChange={ask} />
        <Button kind="quiet" onPress={() => setPicking(true)}>
          {text('table.columns')}
        </Button>
        <MoreMenu calls={[call]}>
          {() => (
            <Download
              path={pastExportPath(asked, at)}
              name={`${report?.label ?? tracker.item_name} ${at.slice(0, 10)}.csv`}
              accept="text/csv"
              label={text('table.export.hint')}
            >
              {text('table.export')}
            </Download>
          )}
        </MoreMenu>
      </FilterBar>
      {failure && !isOfQuery(failure) && <RefusalNotice error={new Refusal(failure)} onRetry={again} />}
      {isOfQuery(failure) && <RefusedQuery onClear={() => ask('')} />}
      {!loader && !failure && <Loading />}
      {loader && (
        <Grid
          label={tracker.label}
          loader={loader}
          past={loader.compared}
          columns={columns}
          tracker={tracker}
          order={view.order}
          widths={view.widths}
          onReorder={(next) => onChange({ columns: next.join() })}
          onResize={(name, width) => onChange({ widths: writeWidths(new Map(view.widths).set(name, width)) })}
          chosen={NOTHING_CHOSEN}
          editing={undefined}
          onSort={(name) => ask(cycleOrder(query, name))}
          onChoose={refuse}
          onChooseAll={refuse}
          onOpen={open}
          onEdit={refuse}
          onPick={refuse}
          onBulk={refuse}
          onEscape={leave}
          onRank={undefined}
        />
      )}
      {loader && <NothingThen loader={loader} />}
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

interface CountProps {
  readonly loader: PastRows | undefined
  readonly tracker: number
  readonly query: string
}

function PastCount({ loader, ...present }: CountProps) {
  useVersion(loader)
  const { data: now } = useQuery(presentSizeQuery(present))
  const then = loader?.store.size
  if (then === undefined || now === undefined) return null
  return (
    <p className={toolbar['count']} role="status">
      {text('past.rows', { count: then, now })}
    </p>
  )
}

function NothingThen({ loader }: { readonly loader: PastRows }) {
  useVersion(loader)
  return loader.store.size === 0 ? <Empty icon={History}>{text('past.none')}</Empty> : null
}
