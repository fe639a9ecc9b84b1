import { type ReactNode, useEffect, useRef } from 'react'
import tabs from './tabs.module.css'

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
  // On a phone, the tabs scroll in one row.
  useEffect(() => {
    const current = nav.current?.querySelector('[aria-current="page"]')
    current?.scrollIntoView({ block: 'nearest', inline: 'center', behavior: 'instant' })
  })
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
