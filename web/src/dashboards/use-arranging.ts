import type { Widget } from '@waypost/sdk/api'
import { type RefObject, useState } from 'react'
import { flushSync } from 'react-dom'
import { queryClient } from '../query-client.ts'
import { showRefusal } from '../shell/show-refusal.ts'
import { showToast } from '../design/toasts.ts'
import { dashboardQuery, saveWidgets, toWidgetInput, type DashboardHolder } from './dashboard-queries.ts'
import { text } from './messages.ts'
import { titleOfWidget, type WidgetActions } from './widget-panel.tsx'

/** Moves and removes widgets. A change is shown at once, and taken back if it is refused. */
export function useArranging(
  owner: DashboardHolder,
  widgets: readonly Widget[],
  list: RefObject<HTMLUListElement | null>,
) {
  const [isBusy, setBusy] = useState(false)
  const [said, setSaid] = useState('')
  const show = (next: readonly Widget[]) =>
    queryClient.setQueryData(dashboardQuery(owner).queryKey, (before) => before && { ...before, widgets: [...next] })
  const save = async (next: readonly Widget[]): Promise<boolean> => {
    setBusy(true)
    flushSync(() => show(next))
    const refused = await saveWidgets(owner, next.map(toWidgetInput))
    setBusy(false)
    if (refused) showRefusal(refused)
    return refused === undefined
  }
  const move = async (from: number, to: number) => {
    const moved = widgets[from]
    if (!moved) return
    const pressed = to < from ? 'earlier' : 'later'
    const isSaved = save(widgets.toSpliced(from, 1).toSpliced(to, 0, moved))
    // The button moves with its widget; at an end of the list it is disabled, and the other one gets the focus.
    const buttons = list.current?.children[to]?.querySelectorAll<HTMLElement>('[data-arrange]:not(:disabled)') ?? []
    const near = [...buttons].find(({ dataset }) => dataset['arrange'] === pressed) ?? buttons[0]
    near?.focus()
    if (!(await isSaved)) return
    setSaid(text('dashboard.moved', { title: titleOfWidget(moved), place: to + 1, count: widgets.length }))
  }
  const remove = async (at: number) => {
    const removed = widgets[at]
    if (!removed || !(await save(widgets.toSpliced(at, 1)))) return
    showToast(text('dashboard.removed', { title: titleOfWidget(removed) }), { undo: () => void save(widgets) })
  }
  const actionsAt = (at: number): WidgetActions => ({
    isBusy,
    onEarlier: at === 0 ? undefined : () => void move(at, at - 1),
    onLater: at === widgets.length - 1 ? undefined : () => void move(at, at + 1),
    onRemove: () => void remove(at),
  })
  return { actionsAt, said }
}
