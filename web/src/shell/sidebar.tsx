import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { LucideIcon } from 'lucide-react'
import {
  CircleQuestionMark,
  House,
  Inbox,
  LayoutDashboard,
  ListChecks,
  LogOut,
  Menu,
  PanelLeft,
  Plus,
  Search,
  Settings,
} from 'lucide-react'
import { memo, type ReactNode } from 'react'
import { signOut, useSession } from '../accounts/session.ts'
import { Button, buttonClass } from '../design/button.tsx'
import { Icon } from '../design/icon.tsx'
import { Avatar } from '../design/marks.tsx'
import { Hidden } from '../design/page.tsx'
import { formatNumber } from '../messages/format-number.ts'
import { text } from '../messages/text.ts'
import { Keys } from './keys.tsx'
import { assignedCountQuery, unreadQuery } from './personal-counts.ts'
import { FavouriteLinks, RecentLinks } from './personal-links.tsx'
import { ProjectTree } from './project-tree.tsx'
import styles from './sidebar.module.css'

interface Props {
  readonly isOpen: boolean
  readonly onOpen: (isOpen: boolean) => void
  readonly onCollapse: () => void
  readonly onPalette: () => void
  /** Undefined for anonymous viewers. */
  readonly onCreate: (() => void) | undefined
  readonly onShortcuts: () => void
}

/** The navigation of every screen. On phones it is a menu. */
export function Sidebar({ isOpen, onOpen, onCollapse, onPalette, onCreate, onShortcuts }: Props) {
  return (
    <header className={styles['side']}>
      <div className={styles['brand']}>
        <span className={styles['menu']}>
          <Button
            kind="icon"
            aria-label={text('menu')}
            aria-expanded={isOpen}
            aria-controls="navigation"
            onPress={() => onOpen(!isOpen)}
          >
            <Icon of={Menu} size={20} />
          </Button>
        </span>
        <Link to="/" className={styles['logo']} activeOptions={{ exact: true }}>
          <img src="/icon.svg" alt="" width="22" height="22" />
          <span className={styles['word']}>{text('brand')}</span>
        </Link>
        <span className={styles['collapse']}>
          <Button kind="icon" aria-label={text('nav.collapse')} onPress={onCollapse}>
            <Icon of={PanelLeft} />
          </Button>
        </span>
        <span className={styles['find']}>
          <Button kind="icon" aria-label={text('palette.open')} onPress={onPalette}>
            <Icon of={Search} size={20} />
          </Button>
        </span>
      </div>
      <div id="navigation" className={styles['navigation']} data-open={isOpen}>
        <div className={styles['starters']}>
          <button type="button" className={styles['search']} onClick={onPalette}>
            <Icon of={Search} />
            <span className={styles['word']}>{text('palette.open')}</span>
            <Keys keys="Ctrl K" />
          </button>
          {onCreate && (
            <button
              type="button"
              className={styles['search']}
              aria-label={text('new.artifact')}
              title={text('new.artifact')}
              onClick={onCreate}
            >
              <Icon of={Plus} />
            </button>
          )}
        </div>
        <Navigation />
        <Account onShortcuts={onShortcuts} />
      </div>
    </header>
  )
}

/** Drawn again only for what it shows itself. */
const Navigation = memo(function Navigation() {
  const { data: session } = useSession()
  return (
    <nav aria-label={text('nav')} className={styles['nav']}>
      {session && <PersonalLinks />}
      {session && <FavouriteLinks />}
      <div className={styles['section']}>
        <Link to="/projects" activeOptions={{ exact: true }} className={styles['head']}>
          {text('nav.projects')}
        </Link>
        <ProjectTree />
      </div>
      {session && <RecentLinks />}
    </nav>
  )
})

function PersonalLinks() {
  const { data: unread = 0 } = useQuery(unreadQuery)
  const { data: assigned } = useQuery(assignedCountQuery)
  return (
    <ul className={styles['list']}>
      <PersonalLink to="/" icon={House} label={text('nav.home')} />
      <PersonalLink to="/inbox" icon={Inbox} label={text('inbox.title')}>
        {unread > 0 && (
          <span className={styles['badge']}>
            <span aria-hidden>{formatNumber(unread)}</span>
            <Hidden>{text('nav.unread', { count: unread })}</Hidden>
          </span>
        )}
      </PersonalLink>
      <PersonalLink to="/my-work" icon={ListChecks} label={text('nav.work')}>
        {assigned !== undefined && assigned > 0 && (
          <span className={styles['count']}>
            <span aria-hidden>{formatNumber(assigned)}</span>
            <Hidden>{text('trackers.open', { count: assigned })}</Hidden>
          </span>
        )}
      </PersonalLink>
      <PersonalLink to="/dashboard" icon={LayoutDashboard} label={text('nav.dashboard')} />
    </ul>
  )
}

interface PersonalLinkProps {
  readonly to: '/' | '/inbox' | '/my-work' | '/dashboard'
  readonly icon: LucideIcon
  readonly label: string
  readonly children?: ReactNode
}

function PersonalLink({ to, icon, label, children }: PersonalLinkProps) {
  return (
    <li>
      <Link
        to={to}
        activeOptions={{ exact: true }}
        activeProps={{ 'data-current': true }}
        className={styles['item']}
        title={label}
      >
        <Icon of={icon} />
        <span className={styles['clipped']}>{label}</span>
        {children}
      </Link>
    </li>
  )
}

function Account({ onShortcuts }: { readonly onShortcuts: () => void }) {
  const { data: session } = useSession()
  if (session === undefined) return null
  if (session === null)
    return (
      <div className={styles['account']}>
        <Link to="/sign-in" search={{}} className={buttonClass('primary')}>
          {text('sign_in')}
        </Link>
      </div>
    )
  const { id, real_name, username, avatar_url } = session.user
  const name = real_name ?? username ?? ''
  return (
    <div className={styles['account']}>
      <Link to="/account/profile" className={styles['person']} activeOptions={{ exact: false }} title={name}>
        <Avatar person={{ id, name, avatar_url }} />
        <span className={styles['clipped']}>
          {name}
          <Hidden>{text('nav.preferences_of')}</Hidden>
        </span>
      </Link>
      {session.user.is_site_admin === true && (
        <Link to="/administration" className={buttonClass('icon')} title={text('administration')}>
          <Icon of={Settings} />
          <Hidden>{text('administration')}</Hidden>
        </Link>
      )}
      <Button kind="icon" aria-label={text('shortcuts.short')} onPress={onShortcuts}>
        <Icon of={CircleQuestionMark} />
      </Button>
      <Button kind="icon" aria-label={text('sign_out')} onPress={() => void signOut()}>
        <Icon of={LogOut} />
      </Button>
    </div>
  )
}
