import type { Tracker, TrackerField } from '@waypost/sdk/api'
import { Refusal } from '@waypost/sdk/answer'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../design/button.tsx'
import { Dialog, DialogActions } from '../design/dialog.tsx'
import { LongTextField, SelectField } from '../design/field.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import { mayUpdate, toDraft } from '../field-types/drafts.ts'
import type { ValueDraft } from '../field-types/field-type.ts'
import { fieldType } from '../field-types/field-types.ts'
import { EditValue } from '../field-types/field-views.tsx'
import { showToast } from '../design/toasts.ts'
import { text } from './messages.ts'
import { BulkOutcome } from './bulk-outcome.tsx'
import { undoLines, toBulkLines, type BulkResult, runLines } from './bulk-plan.ts'
import styles from './toolbar.module.css'
import { showRefusal } from '../shell/show-refusal.ts'

interface Props {
  tracker: Tracker
  ids: ReadonlySet<number>
  /** The field that is offered first. */
  first?: TrackerField | undefined
  /** Called after something was written. */
  onWritten: () => void
  onClose: () => void
}

type Step =
  | { readonly kind: 'write' }
  | { readonly kind: 'running'; readonly isDryRun: boolean; readonly done: number }
  | { readonly kind: 'preview'; readonly planned: BulkResult }
  | { readonly kind: 'result'; readonly written: BulkResult }

/** Applies one change to many artifacts, after a dry run as preview. */
export function BulkEdit({ tracker, ids: chosen, first, onWritten, onClose }: Props) {
  // The selection at the time of opening.
  const [ids] = useState(chosen)
  const fields = tracker.fields.filter((field) => mayUpdate(field) && !fieldType(field).editing?.isNeverBulk)
  const [drafts, setDrafts] = useState<readonly ValueDraft[]>(() =>
    (first ? [first] : fields.slice(0, 1)).map(emptyDraft),
  )
  const [comment, setComment] = useState('')
  const [step, setStep] = useState<Step>({ kind: 'write' })
  const [error, setError] = useState<unknown>()
  const stepNow = useRef(step)
  stepNow.current = step
  const ending = useRef(new AbortController())
  useEffect(() => {
    const { current } = ending
    return () => {
      // Abort a dry run, but let a write finish.
      if (stepNow.current.kind === 'running' && stepNow.current.isDryRun) current.abort()
    }
  }, [])
  const { signal } = ending.current
  const run = async (isDryRun: boolean, lines: ReturnType<typeof toBulkLines>): Promise<BulkResult | undefined> => {
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
    const planned = await run(true, toBulkLines(ids, drafts, comment))
    if (planned) setStep({ kind: 'preview', planned })
  }
  const apply = async (planned: BulkResult) => {
    const lines = toBulkLines(
      planned.changed.map(({ id }) => id),
      drafts,
      comment,
    )
    const written = await run(false, lines)
    onWritten()
    if (!written) return
    setStep({ kind: 'result', written })
    const back = undoLines(planned, written)
    showToast(text('bulk.done', { count: written.changed.length }), {
      ...(back.length > 0 && { undo: () => void undoBulkEdit(tracker, back) }),
    })
    if (written.refused.length === 0) onClose()
  }
  const change = (before: ValueDraft, after: ValueDraft) =>
    setDrafts(drafts.map((draft) => (draft === before ? after : draft)))
  const isBusy = step.kind === 'running'
  const free = fields.filter(({ field_id }) => !drafts.some((draft) => draft.field_id === field_id))
  return (
    <Dialog title={text('bulk.title', { count: ids.size })} isWide isDismissable={!isBusy} onClose={onClose}>
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
              key={index} // By index: arrow keys in the field list change the name, and the list must keep the focus.
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
              {text('bulk.apply', { count: step.planned.changed.length })}
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
  draft: ValueDraft
  onChange: (draft: ValueDraft) => void
  onRemove: (() => void) | undefined
}

function OneChange({ tracker, fields, draft, onChange, onRemove }: OneProps) {
  const field = fields.find(({ field_id }) => field_id === draft.field_id)
  if (!field) return null
  // Each artifact has its own workflow state: the preview shows which of them allow the step.
  const everywhere = { ...tracker, workflow: null }
  return (
    <div className={styles['change']}>
      <SelectField
        label={text('filter.field')}
        value={field.field_id}
        options={fields.map(({ field_id: value, label }) => ({ value, label }))}
        onChange={(id) => onChange(toDraft(fields.find(({ field_id }) => field_id === id) ?? field, undefined))}
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

function emptyDraft(field: TrackerField): ValueDraft {
  return toDraft(field, undefined)
}

async function undoBulkEdit(tracker: Tracker, lines: ReturnType<typeof undoLines>): Promise<void> {
  try {
    const { signal } = new AbortController()
    const { changed, refused } = await runLines(tracker, lines, { signal }, () => undefined)
    const left = refused.reduce((sum, { ids }) => sum + ids.length, 0)
    showToast(
      text(left === 0 ? 'bulk.taken_back' : 'bulk.taken_back_some', {
        count: changed.length,
        left,
        why: refused[0]?.message ?? '',
      }),
    )
  } catch (failure) {
    if (!(failure instanceof Refusal)) throw failure
    showRefusal(failure.failure)
  }
}
