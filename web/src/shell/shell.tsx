import { Outlet, useLocation, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useConfirmationNeeded } from '../accounts/confirmation.ts'
import { useSession } from '../accounts/session.ts'
import { text } from '../messages/text.ts'
import { NAVIGATION_COMMANDS } from './commands.ts'
import styles from './shell.module.css'
import { useSidebarCollapsed } from './use-sidebar.ts'
import { Sidebar } from './sidebar.tsx'
import { ToastRegion } from './toast-region.tsx'
import { useCurrentPlace } from './use-current-place.ts'
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
  const [isCollapsed, collapse] = useSidebarCollapsed()
  const { data: session } = useSession()
  const { tracker } = useCurrentPlace()
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const create = (id: number) => navigate({ to: '/trackers/$tracker/new', params: { tracker: String(id) } })
  const close = () => setOverlay(undefined)
  useEffect(() => setOpen(false), [pathname])
  useFocusRestoration()
  useShortcuts({
    'Ctrl K': () => setOverlay('palette'),
    '/': () => setOverlay('palette'),
    '?': () => setOverlay('shortcuts'),
    '[': collapse,
    ...(session && tracker !== undefined && { c: () => void create(tracker) }),
    ...Object.fromEntries(NAVIGATION_COMMANDS.map(({ keys, to }) => [keys, () => void navigate({ to })])),
  })
  return (
    <div className={styles['shell']} data-collapsed={isCollapsed}>
      <a className={styles['skip']} href="#main">
        {text('skip')}
      </a>
      <Sidebar
        isOpen={isOpen}
        onOpen={setOpen}
        onCollapse={collapse}
        onPalette={() => setOverlay('palette')}
        onShortcuts={() => setOverlay('shortcuts')}
      />
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
