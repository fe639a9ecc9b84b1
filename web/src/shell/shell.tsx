import { Outlet, useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useConfirmationNeeded } from '../accounts/confirmation.ts'
import { useSession } from '../accounts/session.ts'
import { text } from '../messages/text.ts'
import { NAVIGATION_COMMANDS } from './commands.ts'
import { OfflineNotice } from '../offline/offline-notice.tsx'
import { lazyPart } from '../design/lazy-part.tsx'
import styles from './shell.module.css'
import { useSidebarCollapsed } from './use-sidebar.ts'
import { Sidebar } from './sidebar.tsx'
import { ToastRegion } from './toast-region.tsx'
import { useCurrentPlace } from './use-current-place.ts'
import { useFocusRestoration } from './use-focus-restoration.ts'
import { useIsNarrow } from './use-is-narrow.ts'
import { useShortcuts } from './use-shortcuts.ts'
import { useStrayDrops } from './use-stray-drops.ts'

const ConfirmPassword = lazyPart(async () => (await import('../accounts/confirm-password.tsx')).ConfirmPassword)
/** The first screen is drawn by then. */
const PALETTE_DELAY_MS = 1000
const loadPalette = async () => (await import('../search/command-palette.tsx')).CommandPalette
const CommandPalette = lazyPart(loadPalette, { close: ({ onClose }) => onClose() })
const NewArtifact = lazyPart(async () => (await import('../search/new-artifact.tsx')).NewArtifact, {
  close: ({ onClose }) => onClose(),
})
const ShortcutList = lazyPart(async () => (await import('./shortcut-list.tsx')).ShortcutList, {
  close: ({ onClose }) => onClose(),
})

/** After the first screen: its keys work only on lists. */
const ShellPeek = lazyPart(async () => (await import('../peek/shell-peek.tsx')).ShellPeek, { close: () => undefined })

/** On phones only. */
const TabBar = lazyPart(async () => (await import('./tab-bar.tsx')).TabBar)

/** The layout of every screen. */
export function Shell() {
  const [overlay, setOverlay] = useState<'palette' | 'shortcuts' | 'create' | undefined>()
  const [isOpen, setOpen] = useState(false)
  const isConfirmationNeeded = useConfirmationNeeded()
  const [isCollapsed, collapse] = useSidebarCollapsed()
  const { data: session } = useSession()
  const isNarrow = useIsNarrow()
  const { tracker, project } = useCurrentPlace()
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const create = () => {
    if (tracker === undefined) setOverlay('create')
    else void navigate({ to: '/trackers/$tracker/new', params: { tracker: String(tracker) } })
  }
  const close = () => setOverlay(undefined)
  useEffect(() => setOpen(false), [pathname])
  // It is to open at once, also for the first time.
  useEffect(() => {
    const timer = setTimeout(() => void loadPalette().catch(() => undefined), PALETTE_DELAY_MS)
    return () => clearTimeout(timer)
  }, [])
  useFocusRestoration()
  useStrayDrops()
  useShortcuts({
    'Ctrl K': () => setOverlay('palette'),
    '/': () => setOverlay('palette'),
    '?': () => setOverlay('shortcuts'),
    '[': collapse,
    ...(session && { c: create }),
    ...Object.fromEntries(NAVIGATION_COMMANDS.map(({ keys, to }) => [keys, () => void navigate({ to })])),
  })
  return (
    <>
      <OfflineNotice />
      <div className={styles['shell']} data-collapsed={isCollapsed}>
        <a className={styles['skip']} href="#main">
          {text('skip')}
        </a>
        <Sidebar
          isOpen={isOpen}
          onOpen={setOpen}
          onCollapse={collapse}
          onPalette={() => setOverlay('palette')}
          onCreate={session ? create : undefined}
          onShortcuts={() => setOverlay('shortcuts')}
        />
        <main id="main" className={styles['main']} tabIndex={-1}>
          <Outlet />
        </main>
        {session && isNarrow && <TabBar />}
        <ShellPeek />
        <ToastRegion />
        {isConfirmationNeeded && <ConfirmPassword />}
        {overlay === 'palette' && <CommandPalette onClose={close} />}
        {overlay === 'create' && <NewArtifact project={project?.id} onClose={close} />}
        {overlay === 'shortcuts' && <ShortcutList onClose={close} />}
      </div>
    </>
  )
}
