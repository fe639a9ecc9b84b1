import { type ReactNode, useEffect, useRef } from 'react'
import type { LucideIcon } from 'lucide-react'
import { text } from '../messages/text.ts'
import { afterPaint } from './after-paint.ts'
import { Icon } from './icon.tsx'
import styles from './page.module.css'
import { formatNumber } from '../messages/format-number.ts'

let hasShownOne = false

/**
 * A screen. It sets the document title, and moves focus to its heading after navigation so that screen readers announce
 * it.
 */
export function PageLayout({
  title,
  lead,
  date,
  above,
  mark,
  here,
  star,
  actions,
  banner,
  isWide = false,
  aside,
  children,
}: {
  title: string
  lead?: ReactNode
  /** A line above the title. */
  date?: ReactNode
  /** The links to the parent screens, in the bar at the top. */
  above?: ReactNode
  /** Stands before the title in the bar. */
  mark?: ReactNode
  /** The last part of the bar, if the title is long. */
  here?: ReactNode
  /** Stands behind the title, or behind the last part of the bar. */
  star?: ReactNode
  actions?: ReactNode
  /** Stands over the whole width, below the bar. */
  banner?: ReactNode
  /** Uses the full width and height of the window; the title is in the bar. */
  isWide?: boolean
  /** An `aside` that stays in view beside a column of text; on narrow screens it follows the title. */
  aside?: ReactNode
  children: ReactNode
}) {
  const screen = useRef<HTMLDivElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = text('page.title', { title })
    const isFirst = !hasShownOne
    hasShownOne = true
    if (isFirst) return undefined
    // Focusing forces layout; defer it until after paint.
    return afterPaint(() => {
      // An input on this screen that already has the focus keeps it.
      const isWriting = screen.current?.contains(document.activeElement) ?? false
      if (!isWriting) heading.current?.focus()
    })
  }, [title])
  const isInBar = isWide
  const heads = (
    <h1 ref={heading} tabIndex={-1} dir="auto">
      {title}
    </h1>
  )
  // On a phone this is in the bar at the top of the window.
  const titled = (
    <div className={styles['start']} data-screen-title>
      {heads}
      {star}
    </div>
  )
  return (
    <div ref={screen} className={isWide ? styles['whole'] : undefined}>
      {(above !== undefined || isInBar) && (
        <div className={styles['bar']}>
          <div className={styles['start']} data-screen-title>
            <div className={styles['crumbs']}>
              {above}
              {above !== undefined && (isInBar || here !== undefined) && (
                <span className={styles['separator']} aria-hidden>
                  /
                </span>
              )}
              {isInBar && mark}
              {isInBar ? heads : here}
            </div>
            {star}
          </div>
          {actions}
        </div>
      )}
      {banner}
      <div
        className={[styles['page'], isWide && styles['wide'], aside !== undefined && styles['split']]
          .filter(Boolean)
          .join(' ')}
      >
        {isInBar ? (
          lead !== undefined && <p className={styles['lead']}>{lead}</p>
        ) : (
          <div className={styles['head']}>
            <div>
              {date !== undefined && <p className={styles['date']}>{date}</p>}
              {above === undefined ? titled : heads}
              {lead !== undefined && <p className={styles['lead']}>{lead}</p>}
            </div>
            {above === undefined && actions}
          </div>
        )}
        {aside}
        {aside === undefined ? children : <div className={styles['column']}>{children}</div>}
      </div>
    </div>
  )
}

export function Panel({
  title,
  count,
  lead,
  actions,
  isList = false,
  children,
}: {
  title: string
  count?: number | undefined
  lead?: string
  actions?: ReactNode
  /** The content has no padding. */
  isList?: boolean
  children: ReactNode
}) {
  return (
    <section className={styles['panel']} aria-label={title}>
      <div className={styles['panelHead']}>
        <h2 tabIndex={-1}>
          {title}
          {count !== undefined && <span className={styles['count']}>{formatNumber(count)}</span>}
        </h2>
        {actions}
        {lead !== undefined && <p>{lead}</p>}
      </div>
      {isList ? children : <div className={styles['panelBody']}>{children}</div>}
    </section>
  )
}

interface EmptyProps {
  readonly icon?: LucideIcon
  readonly children: ReactNode
  readonly action?: ReactNode
}

/** Says why there is nothing, and offers the next step. */
export function Empty({ icon, children, action }: EmptyProps) {
  return (
    <div className={styles['empty']}>
      {icon && (
        <span className={styles['emptyIcon']}>
          <Icon of={icon} size={20} />
        </span>
      )}
      <p>{children}</p>
      {action}
    </div>
  )
}

/** Rows without content, visible only after 0.4 seconds. */
export function Loading() {
  return (
    <div className={styles['skeleton']} role="status">
      {[0, 1, 2].map((row) => (
        <span key={row} className={styles['bones']}>
          <i />
          <i />
          <i />
        </span>
      ))}
      <em className={styles['hidden']}>{text('loading')}</em>
    </div>
  )
}

export function Hidden({ children }: { children: ReactNode }) {
  return <span className={styles['hidden']}>{children}</span>
}
