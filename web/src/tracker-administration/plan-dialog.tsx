import { type Failure, Refusal } from '@waypost/sdk/answer'
import type { TrackerPlan } from '@waypost/sdk/api'
import { useEffect, useState } from 'react'
import { api } from '../api.ts'
import { Button } from '../design/button.tsx'
import { Dialog, DialogActions } from '../design/dialog.tsx'
import { Loading } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import { queryClient } from '../query-client.ts'
import { showToast } from '../design/toasts.ts'
import { text } from './messages.ts'
import { type Definition, toDocument, parseEditedDefinition } from './definition.ts'
import { definitionQuery, forgetTracker, type GrantableGroup, type StoredDefinition } from './definition-query.ts'
import { isMove, describeChange } from './describe-plan.ts'
import { toDisplayText } from './properties.tsx'
import styles from './plan-dialog.module.css'
import { showRefusal } from '../shell/show-refusal.ts'

interface Props {
  readonly tracker: number
  readonly stored: StoredDefinition
  readonly wanted: Definition
  readonly groups: readonly GrantableGroup[]
  /** After a version conflict: loads the stored version. */
  readonly onReload: () => void
  readonly onApplied: () => void
  readonly onClose: () => void
}

/** Shows the plan and asks for confirmation. */
export function PlanDialog({ tracker, stored, wanted, groups, onReload, onApplied, onClose }: Props) {
  const [plan, setPlan] = useState<TrackerPlan>()
  const [failure, setFailure] = useState<Failure>()
  const [isBusy, setBusy] = useState(false)
  const { etag } = stored
  useEffect(() => {
    let isCurrent = true
    const ask = async () => {
      const answer = await api.dryRun('PUT /trackers/{id}/definition', inputOf(tracker, wanted, etag))
      if (!isCurrent) return
      setFailure(answer.ok ? undefined : answer)
      setPlan(answer.ok ? answer.body : undefined)
      // The changes are reapplied to the newer version and planned again.
      if (!answer.ok && answer.reason === 'version_mismatch') onReload()
    }
    void ask()
    return () => {
      isCurrent = false
    }
  }, [tracker, wanted, etag])

  const apply = async () => {
    setBusy(true)
    const answer = await put(tracker, wanted, etag)
    setBusy(false)
    if (!answer.ok) {
      setFailure(answer)
      setPlan(undefined)
      if (answer.reason === 'version_mismatch') onReload()
      return
    }
    onApplied()
    showToast(text('administration.applied'), { undo: () => void undoPlan(tracker, stored.definition, answer.etag) })
  }
  // A dry run is refused as the write would be.
  const errors = failure?.details.all?.map(problemText) ?? []
  const touched = plan ? touchedBy(plan) : ''
  const mayApply = plan !== undefined && plan.changes.length > 0
  return (
    <Dialog title={text('administration.plan')} isWide onClose={onClose}>
      {failure && errors.length === 0 && <RefusalNotice error={new Refusal(failure)} />}
      {!plan && !failure && <Loading />}
      {errors.length > 0 && (
        <div role="alert" className={styles['errors']}>
          <strong>{text('administration.plan.refused')}</strong>
          <ul>
            {errors.map((error) => (
              <li key={error}>{error}</li>
            ))}
          </ul>
        </div>
      )}
      {plan && <p role="status">{plan.changes.length === 0 ? text('administration.plan.nothing') : touched}</p>}
      {plan && plan.warnings.length > 0 && (
        <ul className={styles['warnings']}>
          {plan.warnings.map(({ message }) => (
            <li key={message}>{message}</li>
          ))}
        </ul>
      )}
      {plan && plan.changes.length > 0 && (
        <ul className={styles['changes']} aria-label={text('administration.plan.changes')}>
          {plan.changes.map((change) => {
            const { title, details, impact } = describeChange(change, { wanted, stored: stored.definition, groups })
            return (
              <li key={`${change.op} ${change.path}`}>
                <strong>{title}</strong>
                {details.length > 0 && (
                  <ul>
                    {details.map((line) => (
                      <li key={line}>{line}</li>
                    ))}
                  </ul>
                )}
                {impact.length > 0 && <small>{impact.join(' ')}</small>}
              </li>
            )
          })}
        </ul>
      )}
      <DialogActions>
        <Button onPress={onClose} autoFocus>
          {text('administration.back')}
        </Button>
        <Button kind="primary" isDisabled={!mayApply} isBusy={isBusy} onPress={() => void apply()}>
          {text('administration.apply')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

/** Changes may affect the same artifacts, so for several changes the largest count is a lower bound. */
function touchedBy({ changes }: TrackerPlan): string {
  const counts = changes.filter((change) => !isMove(change)).map(({ impact }) => impact.artifacts)
  const most = Math.max(0, ...counts)
  if (most === 0) return text('administration.untouched')
  const isExact = counts.filter((count) => count > 0).length === 1
  return isExact
    ? text('administration.touched', { count: most })
    : text('administration.touched_least', { count: most })
}

function inputOf(tracker: number, wanted: Definition, etag: string | undefined) {
  return { path: { id: tracker }, body: toDocument(wanted), ...(etag !== undefined && { ifMatch: etag }) }
}

async function put(tracker: number, wanted: Definition, etag: string | undefined) {
  const answer = await api.call('PUT /trackers/{id}/definition', inputOf(tracker, wanted, etag))
  if (answer.ok && !('changes' in answer.body))
    queryClient.setQueryData(definitionQuery(tracker).queryKey, {
      definition: parseEditedDefinition(answer.body),
      etag: answer.etag,
    })
  void forgetTracker(tracker)
  return answer
}

/** Added elements cannot be removed; they stay as unused. */
async function undoPlan(tracker: number, before: Definition, etag: string | undefined): Promise<void> {
  const answer = await put(tracker, before, etag)
  if (answer.ok) showToast(text('administration.taken_back'))
  else showRefusal(answer)
}

function problemText(problem: unknown): string {
  const { message, path }: { message?: unknown; path?: unknown } =
    typeof problem === 'object' && problem !== null ? problem : {}
  return `${toDisplayText(message)} (${toDisplayText(path)})`
}
