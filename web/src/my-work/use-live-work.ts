import { useEffect, useRef } from 'react'
import { useLiveChanges } from '../shell/use-live-changes.ts'
import { refetchWork } from './work-query.ts'

/** Many changes at once, such as a bulk write, are one refetch. */
const REFRESH_INTERVAL_MS = 1_000

/** Refetches on changes of artifacts: each may assign one to the viewer, or close one of theirs. */
export function useLiveWork(): void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useLiveChanges(({ type }) => {
    if (!type.startsWith('artifact.') || timer.current !== undefined) return
    timer.current = setTimeout(() => {
      timer.current = undefined
      void refetchWork()
    }, REFRESH_INTERVAL_MS)
  })
  useEffect(() => () => clearTimeout(timer.current), [])
}
