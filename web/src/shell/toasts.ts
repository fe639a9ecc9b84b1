import { useSyncExternalStore } from 'react'

export interface Toast {
  readonly id: number
  readonly message: string
  readonly isTrouble: boolean
  readonly undo: (() => void) | undefined
}

let toasts: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()

/** Says what has happened; with `undo`, how to take it back. */
export function tell(message: string, options: { undo?: () => void; isTrouble?: boolean } = {}): void {
  toasts = [...toasts.slice(-2), { id: ++lastId, message, isTrouble: options.isTrouble ?? false, undo: options.undo }]
  for (const listener of listeners) listener()
}

export function dismiss(id: number): void {
  toasts = toasts.filter((toast) => toast.id !== id)
  for (const listener of listeners) listener()
}

/** Undoes what it tells of. */
export function takeBack(toast: Toast | undefined): void {
  if (!toast) return
  dismiss(toast.id)
  toast.undo?.()
}

export function useToasts(): readonly Toast[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => toasts,
  )
}
