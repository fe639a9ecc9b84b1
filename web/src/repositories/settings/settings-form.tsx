import type { Answer, Failure } from '@waypost/sdk/answer'
import { type FormEvent, type ReactNode, useState } from 'react'
import { FormProblem } from '../../design/problem.tsx'
import { Button } from '../../design/button.tsx'
import { refusalText } from '../../design/refusal.tsx'
import { text } from '../messages.ts'
import styles from './settings.module.css'

interface Props {
  readonly onSave: () => Promise<Answer<unknown>>
  /** Shown beside the save button. */
  readonly more?: ReactNode
  readonly children: (problemAt: (path: string) => string | undefined) => ReactNode
}

/** A section of the settings with its own save button. After a refusal it keeps the input and shows the reason. */
export function SettingsForm({ onSave, more, children }: Props) {
  const [failure, setFailure] = useState<Failure>()
  const [isBusy, setBusy] = useState(false)
  const submit = async () => {
    setBusy(true)
    const answer = await onSave()
    setBusy(false)
    setFailure(answer.ok ? undefined : answer)
  }
  const problemAt = (path: string) =>
    failure?.details.path?.startsWith(`settings.${path}`) === true ? refusalText(failure) : undefined
  return (
    <form
      className={styles['form']}
      onSubmit={(event: FormEvent<HTMLFormElement>) => {
        event.preventDefault()
        void submit()
      }}
    >
      {children(problemAt)}
      <FormProblem>{failure && failureText(failure)}</FormProblem>
      <div className={styles['buttons']}>
        <Button type="submit" isBusy={isBusy}>
          {text('save')}
        </Button>
        {more}
      </div>
    </form>
  )
}

/** The message, with the line number if the server names one. */
export function failureText(failure: Failure): string {
  const { line } = failure.details
  const said = refusalText(failure)
  return line === undefined ? said : text('access.at_line', { line, said })
}
