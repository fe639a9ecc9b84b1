import { type FormEvent, type ReactNode, useEffect } from 'react'
import { FormProblem } from '../design/problem.tsx'
import { text } from '../messages/text.ts'
import styles from './door.module.css'

/** The layout of screens for visitors who are not signed in. */
export function AuthLayout({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    document.title = text('page.title', { title })
  }, [title])
  return (
    <main className={styles['door']}>
      <div className={styles['brand']}>
        <img src="/icon.svg" alt="" width="30" height="30" />
        {text('brand')}
      </div>
      <div className={styles['card']}>
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  )
}

/** A form whose error is announced by screen readers. */
export function AuthForm({
  problem,
  onSubmit,
  children,
}: {
  problem: string | undefined
  onSubmit: (values: FormData) => Promise<void>
  children: ReactNode
}) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    void onSubmit(new FormData(event.currentTarget))
  }
  return (
    <form className={styles['form']} onSubmit={submit}>
      <FormProblem>{problem}</FormProblem>
      {children}
    </form>
  )
}

/** The text value of a form field. */
export function formValue(values: FormData, name: string): string {
  const value = values.get(name)
  return typeof value === 'string' ? value : ''
}
