import { useQuery } from '@tanstack/react-query'
import type { Widget } from '@waypost/sdk/api'
import { LayoutDashboard, Pencil, Plus } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { ApiCall } from '../design/api-snippets.tsx'
import { Button } from '../design/button.tsx'
import { Icon } from '../design/icon.tsx'
import { Empty, Hidden, Loading, PageLayout } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import { lazyPart } from '../design/lazy-part.tsx'
import styles from './dashboard.module.css'
import { dashboardQuery, type DashboardHolder } from './dashboard-queries.ts'
import { text } from './messages.ts'
import { useArranging } from './use-arranging.ts'
import { WidgetPanel } from './widget-panel.tsx'

const AddWidget = lazyPart(async () => (await import('./add-widget.tsx')).AddWidget, {
  close: ({ onClose }) => onClose(),
})

interface Props {
  readonly owner: DashboardHolder
  readonly title: string
  readonly lead: string
  readonly above?: ReactNode
  readonly mayChange: boolean
}

const NO_WIDGETS: readonly Widget[] = []

/** The pinned widgets of a project or of the viewer. */
export function DashboardScreen({ owner, title, lead, above, mayChange }: Props) {
  const { data, error, refetch } = useQuery(dashboardQuery(owner))
  const [isAdding, setAdding] = useState(false)
  const [isArranging, setArranging] = useState(false)
  const list = useRef<HTMLUListElement>(null)
  const widgets = data?.widgets ?? NO_WIDGETS
  const arranging = useArranging(owner, widgets, list)
  const isEmpty = data !== undefined && widgets.length === 0
  const add = (
    <Button kind={isEmpty ? 'primary' : 'plain'} onPress={() => setAdding(true)}>
      <Icon of={Plus} />
      {text('dashboard.add')}
    </Button>
  )
  return (
    <PageLayout
      title={title}
      lead={lead}
      above={above}
      actions={
        mayChange && !isEmpty ? (
          <div className={styles['actions']}>
            <Button aria-pressed={isArranging} onPress={() => setArranging(!isArranging)}>
              <Icon of={Pencil} />
              {text(isArranging ? 'dashboard.done' : 'dashboard.arrange')}
            </Button>
            {add}
          </div>
        ) : undefined
      }
    >
      {error && <RefusalNotice error={error} onRetry={() => void refetch()} />}
      {!error && !data && <Loading />}
      {isEmpty && (
        <Empty icon={LayoutDashboard} action={mayChange && add}>
          {text(mayChange ? 'dashboard.empty' : 'dashboard.empty_for_others')}
        </Empty>
      )}
      <ul ref={list} className={styles['widgets']}>
        {widgets.map((widget, at) => (
          <li key={keyOf(widgets, at)} data-type={widget.type}>
            <WidgetPanel widget={widget} actions={isArranging ? arranging.actionsAt(at) : undefined} />
          </li>
        ))}
      </ul>
      <Hidden>
        <span role="status">{arranging.said}</span>
      </Hidden>
      <ApiCall path={owner === 'self' ? '/users/self/dashboard' : `/projects/${owner.project}/dashboard`} />
      {isAdding && <AddWidget owner={owner} onClose={() => setAdding(false)} />}
    </PageLayout>
  )
}

/** Stays the same when a widget moves, so that it is not loaded again; equal widgets are counted. */
function keyOf(widgets: readonly Widget[], at: number): string {
  const contents = widgets.slice(0, at + 1).map((widget) => JSON.stringify(widget))
  const own = contents[at] ?? ''
  return `${own} ${contents.filter((each) => each === own).length}`
}
