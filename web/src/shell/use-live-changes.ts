import type { Event } from '@waypost/sdk/api'
import { followFeed } from '@waypost/sdk/feed'
import { useEffect, useRef } from 'react'
import { api } from '../api.ts'

type Listener = (event: Event) => void

const listeners = new Set<Listener>()
let stop: AbortController | undefined

/**
 * Calls `onChange` for each change of an artifact or a comment that the viewer may see. All parts of a screen share one
 * stream, and only while the tab is visible: browsers limit connections per host across tabs.
 */
export function useLiveChanges(onChange: Listener): void {
  const current = useRef(onChange)
  current.current = onChange
  useEffect(() => {
    const listener: Listener = (event) => current.current(event)
    listeners.add(listener)
    if (listeners.size === 1) document.addEventListener('visibilitychange', follow)
    if (!stop) follow()
    return () => {
      listeners.delete(listener)
      if (listeners.size > 0) return
      document.removeEventListener('visibilitychange', follow)
      stop?.abort()
      stop = undefined
    }
  }, [])
}

function follow(): void {
  stop?.abort()
  stop = undefined
  if (document.visibilityState === 'hidden') return
  stop = new AbortController()
  listen(stop.signal).catch(() => undefined) // Without the stream, lists are refetched by time or by focus.
}

async function listen(signal: AbortSignal): Promise<void> {
  for await (const event of followFeed(api, { types: 'artifact.*,comment.*' }, { signal }))
    for (const listener of listeners) listener(event)
}
