import type { Answer } from '@waypost/sdk/answer'
import { useState } from 'react'
import { api } from '../api.ts'
import { Button } from '../design/button.tsx'
import { Dialog, DialogActions } from '../design/dialog.tsx'
import { TextField } from '../design/field.tsx'
import { refusalText } from '../design/refusal.tsx'
import { queryClient } from '../query-client.ts'
import { showRefusal } from '../shell/show-refusal.ts'
import { showToast } from '../design/toasts.ts'
import toolbar from '../trackers/toolbar.module.css'
import { trackerQuery } from '../trackers/tracker-query.ts'
import { text } from './messages.ts'

interface Props {
  readonly tracker: number
  /** The field of the columns. */
  readonly field: number
  readonly column: { readonly key: number; readonly label: string }
  readonly limit: number | undefined
  readonly onClose: () => void
}

/** Sets the most cards that a column should hold; it is kept with the value of the list, for everyone. */
export function LimitDialog({ tracker, field, column, limit, onClose }: Props) {
  const [typed, setTyped] = useState(String(limit ?? ''))
  const [problem, setProblem] = useState<string>()
  const save = async () => {
    const next = typed.trim() === '' ? null : Number(typed)
    const answer = await setLimit(tracker, field, column.key, next)
    if (!answer.ok) return setProblem(refusalText(answer))
    onClose()
    return showToast(
      next === null
        ? text('board.no_limit_now', { column: column.label })
        : text('board.limit_now', { column: column.label, limit: next }),
      {
        undo: () =>
          void setLimit(tracker, field, column.key, limit ?? null).then((undone) => undone.ok || showRefusal(undone)),
      },
    )
  }
  return (
    <Dialog title={text('board.limit_of', { column: column.label })} onClose={onClose}>
      <form
        className={toolbar['form']}
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <TextField
          label={text('board.limit')}
          hint={text('board.limit_hint')}
          error={problem}
          autoFocus
          type="number"
          min={1}
          max={10_000}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        <DialogActions>
          <Button onPress={onClose}>{text('cancel')}</Button>
          <Button kind="primary" type="submit">
            {text('board.limit_save')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

async function setLimit(
  tracker: number,
  field: number,
  value_id: number,
  limit: number | null,
): Promise<Answer<unknown>> {
  const answer = await api.call('PATCH /tracker_fields/{id}', {
    path: { id: field },
    body: { limits: [{ value_id, limit }] },
  })
  await queryClient.invalidateQueries({ queryKey: trackerQuery(tracker).queryKey, exact: true })
  return answer
}
