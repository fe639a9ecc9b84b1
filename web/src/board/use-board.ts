import { useQuery } from '@tanstack/react-query'
import type { Artifact, Tracker } from '@waypost/sdk/api'
import { useEffect, useMemo, useRef, useState } from 'react'
import { api, read } from '../api.ts'
import type { RowLoader } from '../trackers/row-loader.ts'
import { sourceOf } from '../trackers/table-source.ts'
import { useRows, useVersion } from '../trackers/use-rows.ts'
import type { BoardFields } from './board-fields.ts'
import { type Column, layOut, type Layout } from './lay-out.ts'

/** As many as a live query follows. */
export const MOST_CARDS = 1_000
/** The first cards are painted before the last ones have come. */
const PAGE = 200

export function boardQuestion(tracker: Tracker, query: string, { columns, lanes, cards }: BoardFields) {
  return { tracker: tracker.id, query, columns: [columns, ...(lanes ? [lanes] : []), ...cards] }
}

/** The cards that the filter finds. When the question changes, the old ones stay until the new ones are there. */
export function useBoard(tracker: Tracker, query: string, asked: BoardFields) {
  const question = boardQuestion(tracker, query, asked)
  const key = JSON.stringify([query, question.columns.map(({ name }) => name)])
  const { loader, failure, again } = useRows({ ...sourceOf(question), page: PAGE }, key)
  const shown = useRef<{ readonly loader: RowLoader; readonly fields: BoardFields; readonly query: string }>(undefined)
  if (loader && shown.current?.loader !== loader) shown.current = { loader, fields: asked, query }
  const { fields, query: shownQuery } = shown.current ?? { fields: asked, query }
  const version = useVersion(loader)
  useEffect(() => loader?.look(0, MOST_CARDS), [loader])
  const artifacts = useMemo(() => cardsOf(loader), [loader, version])
  const layout = useMemo(() => layOut(artifacts, fields.columns, fields.lanes), [artifacts, fields])
  const isCut = (loader?.store.size ?? 0) > MOST_CARDS
  const totals = useTotals(tracker.id, shownQuery, fields, isCut ? version : undefined)
  return { loader, failure, again, fields, layout, isCut, totals: totalsIn(layout, totals) }
}

function cardsOf(loader: RowLoader | undefined): Artifact[] {
  const size = Math.min(loader?.store.size ?? 0, MOST_CARDS)
  return Array.from({ length: size }, (_, place) => loader?.store.at(place) ?? []).flat()
}

const REST = 2_000

/** How many there are in each column, where not all of them are shown. They are counted again when it has become quiet. */
function useTotals(tracker: number, query: string, { columns }: BoardFields, version: number | undefined) {
  const [asked, setAsked] = useState(version)
  useEffect(() => {
    const timer = setTimeout(() => setAsked(version), asked === undefined ? 0 : REST)
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
    ({ key }: Column) => groups && (groups.find(({ key: [value] }) => keyIn(value) === key)?.count ?? 0),
  )
}

/** Null: nothing is chosen. */
function keyIn(value: Groups[number]['key'][number] | undefined): number | string | undefined {
  return typeof value === 'object' && value !== null ? (value.id ?? undefined) : undefined
}
