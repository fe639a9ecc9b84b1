import type { Failure } from '@waypost/sdk/answer'
import type { LinkType } from '@waypost/sdk/api'
import { type FormEvent, useRef, useState } from 'react'
import { formValue } from '../accounts/auth-layout.tsx'
import { api } from '../api.ts'
import { Button } from '../design/button.tsx'
import { Dialog, DialogActions } from '../design/dialog.tsx'
import { TextField } from '../design/field.tsx'
import { focusProblem, hasProblemAt, problemReason } from '../design/form-problems.ts'
import { FormProblem } from '../design/problem.tsx'
import { refusalText } from '../design/refusal.tsx'
import { queryClient } from '../query-client.ts'
import { showToast } from '../design/toasts.ts'
import styles from './administration.module.css'
import { text } from './messages.ts'

interface Props {
  /** Absent: a new type. */
  readonly type?: LinkType
  readonly onClose: () => void
}

const INPUTS = ['forward_label', 'reverse_label', 'shortname']

/** Asks for the labels of both directions, and for the name of a new type. */
export function LinkTypeDialog({ type, onClose }: Props) {
  const form = useRef<HTMLFormElement>(null)
  const [failure, setFailure] = useState<Failure>()
  const submit = async (values: FormData) => {
    const [forward_label = '', reverse_label = '', shortname = ''] = INPUTS.map((name) =>
      formValue(values, name).trim(),
    )
    const labels = { forward_label, reverse_label }
    const answer = type
      ? await api.call('PATCH /link_types/{name}', { path: { name: type.shortname }, body: labels })
      : await api.call('POST /link_types', { body: { shortname, ...labels } })
    if (!answer.ok) {
      setFailure(answer)
      return focusProblem(form.current, answer)
    }
    onClose()
    showToast(text(type ? 'link_types.renamed' : 'link_types.made', { label: forward_label }))
    await queryClient.invalidateQueries({ queryKey: ['link_types'] })
  }
  const isElsewhere = failure && !hasProblemAt(failure, INPUTS)
  return (
    <Dialog title={text(type ? 'link_types.rename' : 'link_types.new')} onClose={onClose}>
      <form
        ref={form}
        className={styles['form']}
        onSubmit={(event: FormEvent<HTMLFormElement>) => {
          event.preventDefault()
          void submit(new FormData(event.currentTarget))
        }}
      >
        <TextField
          label={text('link_types.forward')}
          hint={text('link_types.forward.hint')}
          name="forward_label"
          defaultValue={type?.forward_label}
          maxLength={255}
          error={problemReason(failure, 'forward_label') && failure && refusalText(failure)}
          autoFocus
          required
        />
        <TextField
          label={text('link_types.reverse')}
          hint={text('link_types.reverse.hint')}
          name="reverse_label"
          defaultValue={type?.reverse_label}
          maxLength={255}
          error={problemReason(failure, 'reverse_label') && failure && refusalText(failure)}
          required
        />
        {!type && (
          <TextField
            label={text('link_types.name')}
            hint={text('link_types.name.hint')}
            name="shortname"
            maxLength={255}
            autoComplete="off"
            spellCheck={false}
            error={nameProblem(failure)}
            required
          />
        )}
        <FormProblem>{isElsewhere && refusalText(failure)}</FormProblem>
        <DialogActions>
          <Button onPress={onClose}>{text('cancel')}</Button>
          <Button kind="primary" type="submit">
            {text(type ? 'link_types.save' : 'link_types.create')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function nameProblem(failure: Failure | undefined): string | undefined {
  const reason = problemReason(failure, 'shortname')
  if (reason === undefined) return undefined
  return text(reason === 'name_taken' ? 'link_types.name.taken' : 'link_types.name.hint')
}
