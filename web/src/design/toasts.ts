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

/** Shows a message; `undo` adds an undo button. */
export function showToast(message: string, options: { undo?: () => void; isTrouble?: boolean } = {}): void {
  toasts = [...toasts.slice(-2), { id: ++lastId, message, isTrouble: options.isTrouble ?? false, undo: options.undo }]
  for (const listener of listeners) listener()
}

export function dismissToast(id: number): void {
  toasts = toasts.filter((toast) => toast.id !== id)
  for (const listener of listeners) listener()
}

/** Runs the undo action of a toast. */
export function undoToast(toast: Toast | undefined): void {
  if (!toast) return
  dismissToast(toast.id)
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
