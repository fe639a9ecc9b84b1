import { useSyncExternalStore } from 'react'

/** Called with true if the password was confirmed. */
type Settle = (isConfirmed: boolean) => void

let pending: { readonly outcome: Promise<boolean>; readonly settle: Settle } | undefined
const listeners = new Set<() => void>()

/** Opens one dialog, shared by all calls that wait for it. */
export function askForConfirmation(): Promise<boolean> {
  if (pending) return pending.outcome
  const { promise: outcome, resolve } = Promise.withResolvers<boolean>()
  change({ outcome, settle: resolve })
  return outcome
}

export function settleConfirmation(isConfirmed: boolean): void {
  pending?.settle(isConfirmed)
  change(undefined)
}

/** True while a call waits for the password. */
export function useConfirmationNeeded(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => pending !== undefined,
  )
}

function change(next: typeof pending): void {
  pending = next
  for (const listener of listeners) listener()
}
