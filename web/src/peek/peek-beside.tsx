import type { ReactNode } from 'react'
import { lazyPart } from '../design/lazy-part.tsx'
import styles from './peek-beside.module.css'
import type { PeekPanelProps } from './peek-panel.tsx'

const PeekPanel = lazyPart<PeekPanelProps>(async () => (await import('./peek-panel.tsx')).PeekPanel, {
  close: ({ onClose }) => onClose(),
})

interface Props extends Omit<PeekPanelProps, 'id'> {
  /** Undefined: the panel is closed. */
  readonly id: number | undefined
  /** The list. */
  readonly children: ReactNode
}

/** A list with the panel at its end: beside it on a wide screen, else over it. */
export function PeekBeside({ id, children, ...props }: Props) {
  return (
    <div className={styles['beside']} data-open={id !== undefined}>
      {children}
      {id !== undefined && <PeekPanel id={id} {...props} />}
    </div>
  )
}
