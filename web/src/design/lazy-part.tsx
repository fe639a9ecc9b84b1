import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { RefusalNotice } from './refusal.tsx'
import { text } from '../messages/text.ts'
import { showToast } from './toasts.ts'

interface Options<P> {
  /** Shown while it loads. */
  readonly fallback?: ReactNode
  /** Closes an overlay that could not be loaded, so that it can be opened again; others show a notice in their place. */
  readonly close?: (props: P) => void
}

/**
 * A part of a screen whose code is loaded when it is first shown, and drawn at once from then on. If loading fails, the
 * screen around it stays, and the next attempt loads again; `lazy` of React would keep the failure and take the whole
 * screen with it.
 */
export function lazyPart<P extends object>(
  load: () => Promise<ComponentType<P>>,
  { fallback, close }: Options<P> = {},
) {
  let known: { readonly Loaded: ComponentType<P> } | undefined
  return function LazyPart(props: P): ReactNode {
    const [part, setPart] = useState(known)
    const [attempt, setAttempt] = useState(1)
    const [failedAttempt, setFailedAttempt] = useState(0)
    useEffect(() => {
      if (part) return undefined
      let isOver = false
      load().then(
        (Loaded) => {
          known = { Loaded }
          return isOver || setPart(known)
        },
        () => {
          if (isOver) return
          setFailedAttempt(attempt)
          if (!close) return
          showToast(text('part.failed'), { isTrouble: true })
          close(props)
        },
      )
      return () => {
        isOver = true
      }
    }, [attempt])
    if (part) return <part.Loaded {...props} />
    if (failedAttempt === attempt)
      return close ? null : <RefusalNotice error={undefined} onRetry={() => setAttempt(attempt + 1)} />
    return fallback
  }
}
