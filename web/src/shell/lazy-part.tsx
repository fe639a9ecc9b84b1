import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { RefusalNotice } from '../design/refusal.tsx'
import { text } from '../messages/text.ts'
import { showToast } from './toasts.ts'

interface Options<P> {
  /** Shown while it loads. */
  readonly fallback?: ReactNode
  /** Closes an overlay that could not be loaded, so that it can be opened again; others show a notice in their place. */
  readonly close?: (props: P) => void
}

/**
 * A part of a screen whose code is loaded when it is first shown. If that fails, the screen around it stays, and the next
 * attempt loads again; `lazy` of React would keep the failure and take the whole screen with it.
 */
export function lazyPart<P extends object>(
  load: () => Promise<ComponentType<P>>,
  { fallback, close }: Options<P> = {},
) {
  return function LazyPart(props: P): ReactNode {
    const [part, setPart] = useState<{ readonly Loaded: ComponentType<P> }>()
    const [attempt, setAttempt] = useState(1)
    const [failedAttempt, setFailedAttempt] = useState(0)
    useEffect(() => {
      let isOver = false
      load().then(
        (Loaded) => isOver || setPart({ Loaded }),
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
