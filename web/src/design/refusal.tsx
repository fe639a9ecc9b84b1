import type { Failure } from '@waypost/sdk/answer'
import { failureOf } from '../api.ts'
import { isText, text } from '../messages/text.ts'
import { Button, buttonClass } from './button.tsx'
import styles from './page.module.css'

/** The reason of a refusal and the next step. The message of the server names the rule. */
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

/** The current address, with revision, filter and line. */
function here(): string {
  return `${location.pathname}${location.search}${location.hash}`
}

/** One sentence, for small spaces. */
export function refusalText(failure: Failure): string {
  if (failure.reason !== 'unreachable') return failure.message
  return text(navigator.onLine ? 'refusal.unreachable' : 'refusal.offline')
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
