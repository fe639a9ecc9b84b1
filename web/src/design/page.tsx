import { type ReactNode, useEffect, useRef } from 'react'
import { text } from '../messages/text.ts'
import { afterPaint } from './after-paint.ts'
import styles from './page.module.css'
import { locale } from '../messages/language.ts'

let hasShownOne = false

/**
 * A screen. It sets the document title, and moves focus to its heading after navigation so that screen readers announce
 * it.
 */
export function PageLayout({
  title,
  lead,
  above,
  actions,
  isWide = false,
  children,
}: {
  title: string
  lead?: string | undefined
  /** The link to the parent screen. */
  above?: ReactNode
  actions?: ReactNode
  /** Uses the full width and height of the window. */
  isWide?: boolean
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
  return (
    <div ref={screen} className={isWide ? `${styles['page']} ${styles['wide']}` : styles['page']}>
      <div className={styles['head']}>
        <div>
          {above !== undefined && <p className={styles['above']}>{above}</p>}
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {lead !== undefined && <p className={styles['lead']}>{lead}</p>}
        </div>
        {actions}
      </div>
      {children}
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
          {count !== undefined && (
            <span className={styles['count']}>{new Intl.NumberFormat(locale).format(count)}</span>
          )}
        </h2>
        {actions}
        {lead !== undefined && <p>{lead}</p>}
      </div>
      {isList ? children : <div className={styles['panelBody']}>{children}</div>}
    </section>
  )
}

export function Empty({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <div className={styles['empty']}>
      <p>{children}</p>
      {action}
    </div>
  )
}

/** Visible only after 0.4 seconds. */
export function Loading() {
  return (
    <div className={styles['skeleton']} role="status">
      <span />
      <span />
      <span />
      <em className={styles['hidden']}>{text('loading')}</em>
    </div>
  )
}

export function Hidden({ children }: { children: ReactNode }) {
  return <span className={styles['hidden']}>{children}</span>
}
