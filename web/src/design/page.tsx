import { type ReactNode, useEffect, useRef } from 'react'
import { text } from '../words/text.ts'
import { afterPaint } from './after-paint.ts'
import styles from './page.module.css'

let hasShownOne = false

/**
 * A screen. Its title is the document's; whoever came here by a link has the keyboard, and the screen reader's ear, on it.
 */
export function Page({
  title,
  lead,
  above,
  actions,
  isWide = false,
  children,
}: {
  title: string
  lead?: string | undefined
  /** The way back to what it is a part of. */
  above?: ReactNode
  actions?: ReactNode
  /** As wide and as high as the window. */
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
    // Who is given the keyboard makes the browser lay out all of the page: that is soon done when it is painted.
    return afterPaint(() => {
      // Whoever writes on this screen already keeps the keyboard where it is.
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
  /** Its content goes from edge to edge. */
  isList?: boolean
  children: ReactNode
}) {
  return (
    <section className={styles['panel']} aria-label={title}>
      <div className={styles['panelHead']}>
        <h2 tabIndex={-1}>
          {title}
          {count !== undefined && <span className={styles['count']}>{new Intl.NumberFormat().format(count)}</span>}
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

/** Nothing moves for those who wait less than 0.4 seconds. */
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
