import { type FormEvent, type ReactNode, useEffect } from 'react'
import { Problem } from '../design/problem.tsx'
import { text } from '../words/text.ts'
import styles from './door.module.css'

/** The screens of those who are not in yet. */
export function Door({ title, children }: { title: string; children: ReactNode }) {
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

/** A form whose problem is heard when it comes. */
export function DoorForm({
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
      <Problem>{problem}</Problem>
      {children}
    </form>
  )
}

/** What a form has under a name. */
export function valueIn(values: FormData, name: string): string {
  const value = values.get(name)
  return typeof value === 'string' ? value : ''
}
