import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useLocation, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useConfirmationNeeded } from '../accounts/confirmation.ts'
import { signOut, useSession } from '../accounts/session.ts'
import { Button, buttonClass } from '../design/button.tsx'
import { Hidden } from '../design/page.tsx'
import { myProjectsQuery } from '../projects/projects-queries.ts'
import { text } from '../messages/text.ts'
import { NAVIGATION_COMMANDS } from './commands.ts'
import { Keys } from './keys.tsx'
import styles from './shell.module.css'
import { ToastRegion } from './toast-region.tsx'
import { useFocusRestoration } from './use-focus-restoration.ts'
import { useShortcuts } from './use-shortcuts.ts'

const ConfirmPassword = lazy(async () => ({
  default: (await import('../accounts/confirm-password.tsx')).ConfirmPassword,
}))
const CommandPalette = lazy(async () => ({ default: (await import('./command-palette.tsx')).CommandPalette }))
const ShortcutList = lazy(async () => ({ default: (await import('./shortcut-list.tsx')).ShortcutList }))

/** The layout of every screen. */
export function Shell() {
  const [overlay, setOverlay] = useState<'palette' | 'shortcuts' | undefined>()
  const [isOpen, setOpen] = useState(false)
  const isConfirmationNeeded = useConfirmationNeeded()
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const close = () => setOverlay(undefined)
  useEffect(() => setOpen(false), [pathname])
  useFocusRestoration()
  useShortcuts({
    'Ctrl K': () => setOverlay('palette'),
    '/': () => setOverlay('palette'),
    '?': () => setOverlay('shortcuts'),
    ...Object.fromEntries(NAVIGATION_COMMANDS.map(({ keys, to }) => [keys, () => void navigate({ to })])),
  })
  return (
    <div className={styles['shell']}>
      <a className={styles['skip']} href="#main">
        {text('skip')}
      </a>
      <header className={styles['side']}>
        <div className={styles['brand']}>
          <Link to="/" className={styles['logo']}>
            <img src="/icon.svg" alt="" width="24" height="24" />
            {text('brand')}
          </Link>
          <Button kind="quiet" aria-expanded={isOpen} aria-controls="navigation" onPress={() => setOpen(!isOpen)}>
            {text('menu')}
          </Button>
        </div>
        <div id="navigation" className={styles['navigation']} data-open={isOpen}>
          <button type="button" className={styles['search']} onClick={() => setOverlay('palette')}>
            <span>{text('palette.open')}</span>
            <Keys keys="Ctrl K" />
          </button>
          <Navigation />
          <Account onShortcuts={() => setOverlay('shortcuts')} />
        </div>
      </header>
      <main id="main" className={styles['main']} tabIndex={-1}>
        <Outlet />
      </main>
      <ToastRegion />
      <Suspense>
        {isConfirmationNeeded && <ConfirmPassword />}
        {overlay === 'palette' && <CommandPalette onClose={close} />}
        {overlay === 'shortcuts' && <ShortcutList onClose={close} />}
      </Suspense>
    </div>
  )
}

function Navigation() {
  const { data: session } = useSession()
  const { data: projects = [] } = useQuery({ ...myProjectsQuery, enabled: Boolean(session) })
  return (
    <nav aria-label={text('nav')} className={styles['nav']}>
      <Link to="/" activeOptions={{ exact: true }}>
        {text('nav.home')}
      </Link>
      <Link to="/projects" activeOptions={{ exact: true }}>
        {text('nav.projects')}
      </Link>
      {projects.length > 0 && <h2>{text('nav.mine')}</h2>}
      {projects.map(({ id, label_without_icon: label, shortname }) => (
        <Link key={id} to="/projects/$shortname" params={{ shortname }}>
          <span className={styles['clipped']}>{label}</span>
        </Link>
      ))}
    </nav>
  )
}

function Account({ onShortcuts }: { onShortcuts: () => void }) {
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
  const { real_name, username } = session.user
  return (
    <div className={styles['account']}>
      <Link to="/account/keys-tokens" className={styles['person']} activeOptions={{ exact: false }}>
        <span className={styles['initials']} aria-hidden>
          {initials(real_name ?? username ?? '')}
        </span>
        <span className={styles['clipped']}>
          {real_name}
          <Hidden>{text('nav.preferences_of')}</Hidden>
          <small aria-hidden>{text('nav.preferences')}</small>
        </span>
      </Link>
      {session.user.is_site_admin === true && (
        <Link to="/administration" className={styles['apart']}>
          {text('administration')}
        </Link>
      )}
      <div className={styles['small']}>
        <Button kind="quiet" onPress={onShortcuts}>
          {text('shortcuts.short')}
        </Button>
        <Button kind="quiet" onPress={() => void signOut()}>
          {text('sign_out')}
        </Button>
      </div>
    </div>
  )
}

function initials(name: string): string {
  const letters = name.split(/\s+/).map((word) => word.at(0) ?? '')
  return `${letters.at(0) ?? ''}${letters.length > 1 ? letters.at(-1) : ''}`.toUpperCase()
}
