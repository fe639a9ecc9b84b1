import type { Failure } from '@waypost/sdk/answer'
import { failureOf } from '../api.ts'
import { isText, text } from '../words/text.ts'
import { Button, buttonClass } from './button.tsx'
import styles from './page.module.css'

/** Why not, and what to do. The words of the server are the best there are: they name the rule. */
export function RefusalNotice({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const failure = failureOf(error)
  const isSignedOut = failure?.status === 401
  return (
    <div className={styles['refusal']} role="alert">
      <strong>{titleOf(failure)}</strong>
      <p>{adviceOf(failure)}</p>
      {isSignedOut ? (
        <a className={buttonClass()} href={`/sign-in?next=${encodeURIComponent(here())}`}>
          {text('sign_in')}
        </a>
      ) : (
        onRetry && <Button onPress={onRetry}>{text('try_again')}</Button>
      )}
      {failure?.request_id !== undefined && <small>{text('request', { id: failure.request_id })}</small>}
    </div>
  )
}

/** With the revision, the filter and the line that the address names. */
function here(): string {
  return `${location.pathname}${location.search}${location.hash}`
}

/** One sentence, for places that have room for no more. */
export function refusalText(failure: Failure): string {
  return failure.reason === 'unreachable' ? text('refusal.unreachable') : failure.message
}

function titleOf(failure: Failure | undefined): string {
  if (!failure) return text('refusal.unknown')
  if (failure.reason === 'unreachable' || failure.reason === 'unreadable') return text('refusal.unreachable')
  return failure.message
}

function adviceOf(failure: Failure | undefined): string {
  if (!failure) return text('advice.unknown')
  const { reason, status, retryAfterSeconds } = failure
  const byReason = `advice.${reason}`
  const byStatus = `advice.${status}`
  const known = isText(byReason) ? byReason : isText(byStatus) ? byStatus : 'advice.unknown'
  return text(known, { seconds: retryAfterSeconds ?? 1 })
}
