import { followFeed } from '@waypost/sdk/feed'
import { useEffect, useRef } from 'react'
import { api, CLIENT_UUID } from '../api.ts'
import { afterPaint } from '../design/after-paint.ts'
import { showToast } from '../design/toasts.ts'
import { text } from './messages.ts'
import { invalidateArtifact } from './artifact-queries.ts'

/**
 * Subscribes to changes by other people, shows them at once and reports them. One stream serves all artifacts of a
 * tracker that are shown one after the other. Without a tracker it waits.
 */
export function useLiveArtifact(shown: number, tracker: number | undefined): void {
  const latest = useRef(shown)
  latest.current = shown
  useEffect(() => {
    if (tracker === undefined) return undefined
    let stop = new AbortController()
    const listen = async () => {
      for await (const event of followFeed(api, { types: 'artifact.*,comment.*', tracker }, { signal: stop.signal })) {
        const { current: id } = latest
        if (event.object !== `artifacts/${id}` || event.client_uuid === CLIENT_UUID) continue
        await invalidateArtifact(id) // Report it only when it is visible.
        if (event.type === 'comment.edited') continue // Nothing that needs attention.
        const who = event.actor?.username ?? text('inbox.somebody')
        showToast(text(event.has_comment ? 'artifact.commented_now' : 'artifact.changed_now', { who }))
      }
    }
    const turn = () => {
      stop.abort()
      if (document.visibilityState === 'hidden') return
      stop = new AbortController()
      listen().catch(() => undefined) // Without the stream, the artifact is refetched on focus.
    }
    const leaveIt = afterPaint(turn)
    document.addEventListener('visibilitychange', turn)
    return () => {
      leaveIt()
      document.removeEventListener('visibilitychange', turn)
      stop.abort()
    }
  }, [tracker])
}
