import { useCallback, useSyncExternalStore } from 'react'

/** The width below which style sheets show a screen as on a phone. */
const NARROW = '(max-width: 40rem)'
/** The width below which a toolbar has no room for all controls beside filters. */
const COMPACT = '(max-width: 86rem)'

/** The width from which style sheets show the peek panel beside a screen, and not over it. */
const PEEK_ROOM = '(min-width: 80.01rem)'

export function useIsNarrow(): boolean {
  return useMedia(NARROW)
}

export function useIsCompact(): boolean {
  return useMedia(COMPACT)
}

export function useHasPeekRoom(): boolean {
  return useMedia(PEEK_ROOM)
}

function useMedia(media: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const query = matchMedia(media)
      query.addEventListener('change', listener)
      return () => query.removeEventListener('change', listener)
    },
    [media],
  )
  return useSyncExternalStore(subscribe, () => matchMedia(media).matches)
}
