import { useLocation } from '@tanstack/react-router'
import { lazyPart } from '../design/lazy-part.tsx'
import type { PeekPanelProps } from './peek-panel.tsx'
import styles from './shell-peek.module.css'
import { usePeek } from './use-peek.ts'
import { focusPeekRow, usePeekRows } from './use-peek-rows.ts'

const PeekPanel = lazyPart<PeekPanelProps>(async () => (await import('./peek-panel.tsx')).PeekPanel, {
  close: ({ onClose }) => onClose(),
})

/** Tables and boards have the panel below their controls. */
const WITH_OWN_PANEL = /^\/trackers\/[^/]+(?:\/board)?\/?$/

/** The panel is where the entries of this screen are read. */
const READING = '/inbox'

/** The panel beside every other screen. */
export function ShellPeek() {
  const { pathname } = useLocation()
  return WITH_OWN_PANEL.test(pathname) ? null : <BesideScreen key={pathname} isReading={pathname === READING} />
}

function BesideScreen({ isReading }: { readonly isReading: boolean }) {
  const peek = usePeek()
  const { hasRow, step } = usePeekRows(peek)
  const { id, close } = peek
  if (id === undefined) return null
  return (
    <div className={styles['place']} data-reading={isReading || undefined}>
      <PeekPanel id={id} onStep={hasRow ? step : undefined} onLeave={() => focusPeekRow(id)} onClose={close} />
    </div>
  )
}
