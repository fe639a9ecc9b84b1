import type { Failure } from '@waypost/sdk/answer'
import { refusalText } from '../design/refusal.tsx'
import { tell } from './toasts.ts'

/** For what is done where nothing else on the screen could say it. */
export function tellRefusal(failure: Failure): void {
  tell(refusalText(failure), { isTrouble: true })
}
