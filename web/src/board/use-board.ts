import { useQuery } from '@tanstack/react-query'
import type { Artifact, Tracker } from '@waypost/sdk/api'
import { useEffect, useMemo, useRef, useState } from 'react'
import { api, read } from '../api.ts'
import { RowLoader } from '../trackers/row-loader.ts'
import { tableSource } from '../trackers/table-source.ts'
import { useRows, useVersion } from '../trackers/use-rows.ts'
import type { BoardFields } from './board-fields.ts'
import { type BoardColumn, layOutBoard, type Layout } from './board-layout.ts'

/** The maximum of a live query. */
export const MAX_CARDS = 1_000
/** Small enough that the first cards are painted before the last have loaded. */
const PAGE_SIZE = 200

export function boardQuestion(tracker: Tracker, query: string, { columns, lanes, cards }: BoardFields) {
  return { tracker: tracker.id, query, columns: [columns, ...(lanes ? [lanes] : []), ...cards] }
}

/** The cards of a filter. When the query changes, the old cards stay until the new ones have loaded. */
export function useBoard(tracker: Tracker, query: string, asked: BoardFields) {
  const question = boardQuestion(tracker, query, asked)
  // The same fields in other roles are another board.
  const names = question.columns.map(({ name }) => name)
  const key = JSON.stringify(['board', tracker.id, query, asked.lanes?.name ?? null, names])
  const load = () => new RowLoader({ ...tableSource(question), page: PAGE_SIZE })
  const { loader, failure, again } = useRows(key, load)
  const shown = useRef<{ readonly loader: RowLoader; readonly fields: BoardFields; readonly query: string }>(undefined)
  if (loader && shown.current?.loader !== loader) shown.current = { loader, fields: asked, query }
  const { fields, query: shownQuery } = shown.current ?? { fields: asked, query }
  const version = useVersion(loader)
  useEffect(() => loader?.setVisibleRange(0, MAX_CARDS), [loader])
  const artifacts = useMemo(() => cardsOf(loader), [loader, version])
  const layout = useMemo(() => layOutBoard(artifacts, fields.columns, fields.lanes), [artifacts, fields])
  const isCut = (loader?.store.size ?? 0) > MAX_CARDS
  const totals = useTotals(tracker.id, shownQuery, fields, isCut ? version : undefined)
  return { loader, failure, again, fields, layout, isCut, totals: totalsIn(layout, totals) }
}

function cardsOf(loader: RowLoader | undefined): Artifact[] {
  const size = Math.min(loader?.store.size ?? 0, MAX_CARDS)
  return Array.from({ length: size }, (_, place) => loader?.store.at(place) ?? []).flat()
}

const COUNT_DEBOUNCE_MS = 2_000

/** The totals by column, if not all cards are shown. They are counted again after changes have paused. */
function useTotals(tracker: number, query: string, { columns }: BoardFields, version: number | undefined) {
  const [asked, setAsked] = useState(version)
  useEffect(() => {
    const timer = setTimeout(() => setAsked(version), asked === undefined ? 0 : COUNT_DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [version])
  const question = { by: columns.name, limit: 1_000, ...(query !== '' && { expert_query: query }) }
  const { data } = useQuery({
    queryKey: ['trackers', tracker, 'columns', question, asked],
    enabled: asked !== undefined && version !== undefined,
    placeholderData: (before) => before,
    queryFn: () => read(api.call('GET /trackers/{id}/artifacts/groups', { path: { id: tracker }, query: question })),
  })
  return version !== undefined && data && 'groups' in data ? data.groups : undefined
}

type Groups = NonNullable<ReturnType<typeof useTotals>>

function totalsIn({ columns }: Layout, groups: Groups | undefined): (number | undefined)[] {
  return columns.map(
    ({ key }: BoardColumn) => groups && (groups.find(({ key: [value] }) => keyIn(value) === key)?.count ?? 0),
  )
}

/** Null: the field is empty. */
function keyIn(value: Groups[number]['key'][number] | undefined): number | string | undefined {
  return typeof value === 'object' && value !== null ? (value.id ?? undefined) : undefined
}
