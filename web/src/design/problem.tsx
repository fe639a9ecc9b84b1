import type { ReactNode } from 'react'
import styles from './problem.module.css'

/** The error of a form, announced by screen readers. Hidden without content. */
export function FormProblem({ children }: { children: ReactNode }) {
  return (
    <p className={styles['problem']} role="alert">
      {children}
    </p>
  )
}
