import type { ReactNode } from 'react'
import styles from './problem.module.css'

/** What is wrong with a form as a whole, heard when it comes. Without it, nothing is seen. */
export function Problem({ children }: { children: ReactNode }) {
  return (
    <p className={styles['problem']} role="alert">
      {children}
    </p>
  )
}
