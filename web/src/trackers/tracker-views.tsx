import { Link, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { text } from './messages.ts'
import styles from './tracker-views.module.css'

/** Tabs for the views of a tracker; the filter is kept between them. */
export function TrackerViews({ id, children }: { id: string; children: ReactNode }) {
  const { q } = useSearch({ strict: false })
  const search = q === undefined ? {} : { q }
  const params = { id }
  const one = {
    className: styles['view'],
    activeProps: { 'data-current': true },
    activeOptions: { exact: true, includeSearch: false },
  }
  return (
    <div className={styles['actions']}>
      <nav className={styles['views']} aria-label={text('views.title')}>
        <Link to="/trackers/$id" params={params} search={search} {...one}>
          {text('views.table')}
        </Link>
        <Link to="/trackers/$id/board" params={params} search={search} {...one}>
          {text('views.board')}
        </Link>
        <Link to="/trackers/$id/charts" params={params} search={search} {...one}>
          {text('views.charts')}
        </Link>
      </nav>
      {children}
    </div>
  )
}
