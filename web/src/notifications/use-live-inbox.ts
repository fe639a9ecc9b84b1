import { useEffect, useRef } from 'react'
import { queryClient } from '../query-client.ts'
import { useLiveChanges } from '../shell/use-live-changes.ts'

/** A notification is written shortly after its change. */
const REFRESH_DELAY_MS = 1_500

/** Refetches on changes that may notify the viewer. */
export function useLiveInbox(): void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useLiveChanges(() => {
    clearTimeout(timer.current)
    timer.current = setTimeout(
      () => void queryClient.invalidateQueries({ queryKey: ['notifications'] }),
      REFRESH_DELAY_MS,
    )
  })
  useEffect(() => () => clearTimeout(timer.current), [])
}
