import { followFeed } from '@waypost/sdk/feed'
import { useEffect } from 'react'
import { api, CLIENT_UUID } from '../api.ts'
import { afterPaint } from '../design/after-paint.ts'
import { tell } from '../shell/toasts.ts'
import { text } from './words.ts'
import { lookAgain } from './artifact-queries.ts'

/** What somebody else does to an artifact while one looks at it is told, and shown at once. */
export function useArtifactNews(id: number, tracker: number): void {
  useEffect(() => {
    let stop = new AbortController()
    const listen = async () => {
      for await (const event of followFeed(api, { types: 'artifact.*,comment.*', tracker }, { signal: stop.signal })) {
        if (event.object !== `artifacts/${id}` || event.client_uuid === CLIENT_UUID) continue
        await lookAgain(id) // It is told when it can be seen.
        const who = event.actor?.username ?? text('inbox.somebody')
        tell(text(event.has_comment ? 'artifact.commented_now' : 'artifact.changed_now', { who }))
      }
    }
    const turn = () => {
      stop.abort()
      if (document.visibilityState === 'hidden') return
      stop = new AbortController()
      listen().catch(() => undefined) // It is also read when one comes back to it.
    }
    const leaveIt = afterPaint(turn)
    document.addEventListener('visibilitychange', turn)
    return () => {
      leaveIt()
      document.removeEventListener('visibilitychange', turn)
      stop.abort()
    }
  }, [id, tracker])
}
