import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Folder, House, Inbox, ListChecks } from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Icon } from '../design/icon.tsx'
import { Hidden } from '../design/page.tsx'
import { formatNumber } from '../messages/format-number.ts'
import { text } from '../messages/text.ts'
import { unreadQuery } from './personal-counts.ts'
import styles from './tab-bar.module.css'
import { useCurrentPlace } from './use-current-place.ts'

/** The four most used screens, at the bottom of a phone. */
export function TabBar() {
  const { data: unread = 0 } = useQuery(unreadQuery)
  const { project, tracker } = useCurrentPlace()
  return (
    <nav className={styles['tabs']} aria-label={text('nav.tabs')} data-foot>
      <Tab to="/" icon={House} label={text('nav.home')} />
      <Tab to="/inbox" icon={Inbox} label={text('inbox.title')}>
        {unread > 0 && (
          <span className={styles['badge']}>
            <span aria-hidden>{formatNumber(unread)}</span>
            <Hidden>{text('nav.unread', { count: unread })}</Hidden>
          </span>
        )}
      </Tab>
      <Tab
        to="/projects"
        icon={Folder}
        label={text('nav.projects')}
        isWithin={project !== undefined || tracker !== undefined}
      />
      <Tab to="/my-work" icon={ListChecks} label={text('nav.work')} />
    </nav>
  )
}

interface TabProps {
  readonly to: '/' | '/inbox' | '/projects' | '/my-work'
  readonly icon: LucideIcon
  readonly label: string
  /** True on screens below this one. */
  readonly isWithin?: boolean
  readonly children?: ReactNode
}

function Tab({ to, icon, label, isWithin = false, children }: TabProps) {
  return (
    <Link
      to={to}
      search={{}}
      activeOptions={{ exact: true, includeSearch: false }}
      activeProps={{ 'data-current': true }}
      className={styles['tab']}
      {...(isWithin && { 'data-current': true })}
    >
      <Icon of={icon} size={20} />
      {label}
      {children}
    </Link>
  )
}
