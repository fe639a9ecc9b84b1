import type { Tracker, TrackerField } from '@waypost/sdk/api'
import { Refusal } from '@waypost/sdk/answer'
import { useEffect, useRef, useState } from 'react'
import { type Draft, draftOf, mayUpdate } from '../artifacts/draft.ts'
import { EditValue } from '../artifacts/edit-value.tsx'
import { Button } from '../design/button.tsx'
import { Dialog, DialogActions } from '../design/dialog.tsx'
import { LongTextField, SelectField } from '../design/field.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import { tell } from '../shell/toasts.ts'
import { counted, text } from './words.ts'
import { BulkOutcome } from './bulk-outcome.tsx'
import { linesBack, linesOf, type Outcome, runLines } from './bulk-plan.ts'
import styles from './toolbar.module.css'
import { tellRefusal } from '../shell/tell-refusal.ts'

/** These are written one by one: each has links and files of its own. */
const ONE_BY_ONE = ['art_link', 'file']

interface Props {
  tracker: Tracker
  ids: ReadonlySet<number>
  /** Something was written. */
  onWritten: () => void
  onClose: () => void
}

type Step =
  | { readonly kind: 'write' }
  | { readonly kind: 'running'; readonly isDryRun: boolean; readonly done: number }
  | { readonly kind: 'preview'; readonly planned: Outcome }
  | { readonly kind: 'result'; readonly written: Outcome }

/** The same change to many: written down, tried without writing, and then done. */
export function BulkEdit({ tracker, ids: chosen, onWritten, onClose }: Props) {
  // Those that were chosen when it was opened, whatever is chosen later.
  const [ids] = useState(chosen)
  const fields = tracker.fields.filter((field) => mayUpdate(field) && !ONE_BY_ONE.includes(field.type))
  const [drafts, setDrafts] = useState<readonly Draft[]>(() => fields.slice(0, 1).map(emptyDraft))
  const [comment, setComment] = useState('')
  const [step, setStep] = useState<Step>({ kind: 'write' })
  const [error, setError] = useState<unknown>()
  const stepNow = useRef(step)
  stepNow.current = step
  const ending = useRef(new AbortController())
  useEffect(() => {
    const { current } = ending
    return () => {
      // What is being written goes on to its end; what is only tried may stop.
      if (stepNow.current.kind === 'running' && stepNow.current.isDryRun) current.abort()
    }
  }, [])
  const { signal } = ending.current
  const run = async (isDryRun: boolean, lines: ReturnType<typeof linesOf>): Promise<Outcome | undefined> => {
    setError(undefined)
    setStep({ kind: 'running', isDryRun, done: 0 })
    try {
      return await runLines(tracker, lines, { signal, isDryRun }, (done) =>
        setStep({ kind: 'running', isDryRun, done }),
      )
    } catch (failure) {
      setError(failure)
      setStep({ kind: 'write' })
      return undefined
    }
  }
  const preview = async () => {
    const planned = await run(true, linesOf(ids, drafts, comment))
    if (planned) setStep({ kind: 'preview', planned })
  }
  const apply = async (planned: Outcome) => {
    const lines = linesOf(
      planned.changed.map(({ id }) => id),
      drafts,
      comment,
    )
    const written = await run(false, lines)
    onWritten()
    if (!written) return
    setStep({ kind: 'result', written })
    const back = linesBack(planned, written)
    tell(counted('bulk.done_one', 'bulk.done', written.changed.length), {
      ...(back.length > 0 && { undo: () => void takeBack(tracker, back) }),
    })
    if (written.refused.length === 0) onClose()
  }
  const change = (before: Draft, after: Draft) => setDrafts(drafts.map((draft) => (draft === before ? after : draft)))
  const isBusy = step.kind === 'running'
  const free = fields.filter(({ field_id }) => !drafts.some((draft) => draft.field_id === field_id))
  return (
    <Dialog title={counted('bulk.title_one', 'bulk.title', ids.size)} isWide isDismissable={!isBusy} onClose={onClose}>
      {error !== undefined && <RefusalNotice error={error} />}
      {step.kind === 'write' && (
        <form
          className={styles['form']}
          onSubmit={(event) => {
            event.preventDefault()
            void preview()
          }}
        >
          {drafts.map((draft, index) => (
            <OneChange
              key={index} // By place: who goes from field to field by arrow keys stays in the list of them.
              tracker={tracker}
              fields={fields.filter((field) => field.field_id === draft.field_id || free.includes(field))}
              draft={draft}
              onChange={(next) => change(draft, next)}
              onRemove={drafts.length > 1 ? () => setDrafts(drafts.filter((each) => each !== draft)) : undefined}
            />
          ))}
          {free[0] && (
            <div>
              <Button kind="quiet" onPress={() => free[0] && setDrafts([...drafts, emptyDraft(free[0])])}>
                {text('bulk.another')}
              </Button>
            </div>
          )}
          <LongTextField
            label={text('bulk.comment')}
            value={comment}
            onChange={({ target }) => setComment(target.value)}
          />
          <DialogActions>
            <Button onPress={onClose}>{text('cancel')}</Button>
            <Button kind="primary" type="submit" isDisabled={drafts.length === 0}>
              {text('bulk.preview')}
            </Button>
          </DialogActions>
        </form>
      )}
      {step.kind === 'running' && (
        <p role="status">
          {text(step.isDryRun ? 'bulk.trying' : 'bulk.writing', { done: step.done, count: ids.size })}
        </p>
      )}
      {step.kind === 'preview' && (
        <>
          <BulkOutcome outcome={step.planned} isPlan />
          <DialogActions>
            <Button onPress={() => setStep({ kind: 'write' })}>{text('bulk.back')}</Button>
            <Button
              kind="primary"
              autoFocus
              isDisabled={step.planned.changed.length === 0}
              onPress={() => void apply(step.planned)}
            >
              {counted('bulk.apply_one', 'bulk.apply', step.planned.changed.length)}
            </Button>
          </DialogActions>
        </>
      )}
      {step.kind === 'result' && (
        <>
          <BulkOutcome outcome={step.written} />
          <DialogActions>
            <Button kind="primary" autoFocus onPress={onClose}>
              {text('close')}
            </Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  )
}

interface OneProps {
  tracker: Tracker
  fields: readonly TrackerField[]
  draft: Draft
  onChange: (draft: Draft) => void
  onRemove: (() => void) | undefined
}

function OneChange({ tracker, fields, draft, onChange, onRemove }: OneProps) {
  const field = fields.find(({ field_id }) => field_id === draft.field_id)
  if (!field) return null
  // Each artifact is somewhere else in the workflow: the preview says which of them may go there.
  const everywhere = { ...tracker, workflow: null }
  return (
    <div className={styles['change']}>
      <SelectField
        label={text('filter.field')}
        value={field.field_id}
        options={fields.map(({ field_id: value, label }) => ({ value, label }))}
        onChange={(id) => onChange(draftOf(fields.find(({ field_id }) => field_id === id) ?? field, undefined))}
      />
      <EditValue key={field.field_id} tracker={everywhere} field={field} draft={draft} onChange={onChange} />
      {onRemove && (
        <Button kind="quiet" aria-label={text('bulk.remove', { field: field.label })} onPress={onRemove}>
          <span aria-hidden>×</span>
        </Button>
      )}
    </div>
  )
}

function emptyDraft(field: TrackerField): Draft {
  return draftOf(field, undefined)
}

async function takeBack(tracker: Tracker, lines: ReturnType<typeof linesBack>): Promise<void> {
  try {
    const { signal } = new AbortController()
    const { changed, refused } = await runLines(tracker, lines, { signal }, () => undefined)
    const left = refused.reduce((sum, { ids }) => sum + ids.length, 0)
    tell(
      text(left === 0 ? 'bulk.taken_back' : 'bulk.taken_back_some', {
        count: changed.length,
        left,
        why: refused[0]?.message ?? '',
      }),
    )
  } catch (failure) {
    if (!(failure instanceof Refusal)) throw failure
    tellRefusal(failure.failure)
  }
}
