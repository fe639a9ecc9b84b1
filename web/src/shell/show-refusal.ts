import type { Failure } from '@waypost/sdk/answer'
import { refusalText } from '../design/refusal.tsx'
import { showToast } from '../design/toasts.ts'

/** Shows a refusal as a toast, for actions without a place of their own for errors. */
export function showRefusal(failure: Failure): void {
  showToast(refusalText(failure), { isTrouble: true })
}
