import { Link } from '@tanstack/react-router'
import { Check } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { Icon } from '../design/icon.tsx'
import { Hidden } from '../design/page.tsx'
import { formatNumber } from '../messages/format-number.ts'
import { text } from '../search/messages.ts'
import styles from './facets.module.css'
import type { SearchAddress } from './search-address.ts'

/** The values of one facet; nothing, if there are none. */
export function Facet({ title, children }: { readonly title: string; readonly children: readonly ReactNode[] }) {
  const id = useId()
  if (children.length === 0) return null
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className={styles['title']}>
        {title}
      </h2>
      <ul>{children}</ul>
    </section>
  )
}

interface FacetValueProps {
  readonly to: SearchAddress
  readonly isOn: boolean
  /** Undefined while it is unknown. */
  readonly count: number | undefined
  /** There may be more. */
  readonly isMinimum?: boolean
  readonly children: ReactNode
}

/** A link to the same search with this value, or without it. */
export function FacetValue({ to, isOn, count, isMinimum = false, children }: FacetValueProps) {
  return (
    <li>
      <Link
        to="/search"
        search={to}
        className={styles['value']}
        data-on={isOn}
        data-none={(count === 0 && !isOn) || undefined}
        aria-current={isOn ? 'true' : undefined}
      >
        <span className={styles['box']} aria-hidden>
          {isOn && <Icon of={Check} size={12} />}
        </span>
        <span className={styles['label']} dir="auto">
          {children}
        </span>
        {count !== undefined && (
          <span className={styles['count']}>
            <span aria-hidden>
              {formatNumber(count)}
              {isMinimum && '+'}
            </span>
            <Hidden>{text('search.hits', { count })}</Hidden>
          </span>
        )}
      </Link>
    </li>
  )
}
