import { useEffect } from 'react'
import { useSession } from '../accounts/session.ts'
import { api } from '../api.ts'
import { afterPaint } from '../design/after-paint.ts'
import { queryClient } from '../query-client.ts'
import { type ListedKind, recentlySeenQuery } from './personal-lists.ts'

const OPERATIONS = {
  project: 'PUT /projects/{id}/seen',
  tracker: 'PUT /trackers/{id}/seen',
  artifact: 'PUT /artifacts/{id}/seen',
} as const

/** Records that the viewer has opened an object; undefined while it is loading. */
export function useSeen(kind: ListedKind, id: number | undefined): void {
  const { data: session } = useSession()
  const isSignedIn = Boolean(session)
  useEffect(() => {
    if (!isSignedIn || id === undefined) return undefined
    return afterPaint(() => void recordSeen(kind, id))
  }, [isSignedIn, kind, id])
}

/** A failure is not shown: the viewer has not asked for it. */
async function recordSeen(kind: ListedKind, id: number): Promise<void> {
  const { queryKey } = recentlySeenQuery
  const [newest] = queryClient.getQueryData(queryKey) ?? []
  if (newest?.kind === kind && newest.id === id) return
  const answer = await api.call(OPERATIONS[kind], { path: { id } }).catch(() => undefined)
  if (answer?.ok) await queryClient.invalidateQueries({ queryKey })
}
