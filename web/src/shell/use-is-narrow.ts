import { useSyncExternalStore } from 'react'

/** The width below which style sheets show a screen as on a phone. */
const NARROW = '(max-width: 40rem)'

export function useIsNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia(NARROW).matches)
}

function subscribe(listener: () => void): () => void {
  const query = matchMedia(NARROW)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}
