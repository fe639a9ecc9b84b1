import { Link, useSearch } from '@tanstack/react-router'
import { ChartColumn, Columns3, Table2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { Icon } from '../design/icon.tsx'
import segments from '../design/segments.module.css'
import { text } from './messages.ts'
import styles from './tracker-views.module.css'

/** Tabs for the views of a tracker; the filter is kept between them. */
export function TrackerViews({ id, children }: { id: string; children: ReactNode }) {
  const { q } = useSearch({ strict: false })
  const search = q === undefined ? {} : { q }
  const params = { id }
  const one = {
    className: `${segments['segment']} ${styles['view']}`,
    activeProps: { 'data-current': true },
    activeOptions: { exact: true, includeSearch: false },
  }
  return (
    <div className={styles['actions']}>
      <nav className={segments['segments']} aria-label={text('views.title')}>
        <Link to="/trackers/$id" params={params} search={search} title={text('views.table')} {...one}>
          <Icon of={Table2} />
          <span>{text('views.table')}</span>
        </Link>
        <Link to="/trackers/$id/board" params={params} search={search} title={text('views.board')} {...one}>
          <Icon of={Columns3} />
          <span>{text('views.board')}</span>
        </Link>
        <Link to="/trackers/$id/charts" params={params} search={search} title={text('views.charts')} {...one}>
          <Icon of={ChartColumn} />
          <span>{text('views.charts')}</span>
        </Link>
      </nav>
      {children}
    </div>
  )
}
