import { useLocation } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import tabs from '../design/tabs.module.css'

interface Props {
  /** The links to the parent screens. */
  readonly parents: readonly { readonly key: string; readonly link: ReactNode }[]
  readonly title: string
  /** The links to the screens of these settings. */
  readonly children: ReactNode
}

/** The bar above the screens of settings: the path to them, and below it their tabs. */
export function SettingsHeader({ parents, title, children }: Props) {
  const nav = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  // On a phone, the tabs scroll in one row. The page stays where it is.
  useEffect(() => {
    const row = nav.current?.getBoundingClientRect()
    const current = nav.current?.querySelector('[aria-current="page"]')?.getBoundingClientRect()
    if (row && current) nav.current?.scrollBy(current.x + current.width / 2 - row.x - row.width / 2, 0)
  }, [pathname])
  return (
    <div className={tabs['header']}>
      <p className={tabs['path']}>
        {parents.map(({ key, link }) => (
          <span key={key}>
            {link}
            <i aria-hidden>/</i>
          </span>
        ))}
        <strong>{title}</strong>
      </p>
      <nav ref={nav} className={tabs['tabs']} aria-label={title}>
        {children}
      </nav>
    </div>
  )
}
