import type { Failure } from '@waypost/sdk/answer'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { queryClient } from '../query-client.ts'
import { RowLoader, type RowSource } from './row-loader.ts'

export interface Rows {
  /** Undefined: not loaded yet. */
  readonly loader: RowLoader | undefined
  /** The refusal of the last query; the previous rows stay visible. */
  readonly failure: Failure | undefined
  readonly again: () => void
}

/**
 * The rows of a source. When the query changes, the old rows stay until the new ones have loaded; after navigating
 * back, cached rows are shown first and then refreshed.
 */
export function useRows(source: RowSource, key: string): Rows {
  const name = ['rows', source.tracker, source.page, key]
  const [loader, setLoader] = useState(() => queryClient.getQueryData<RowLoader>(name))
  const [failure, setFailure] = useState<Failure>()
  const shown = useRef<RowLoader>(undefined)
  const asked = useRef<RowLoader>(undefined)
  useEffect(() => {
    const next = queryClient.getQueryData<RowLoader>(name) ?? new RowLoader(source)
    asked.current = next
    const settle = () => {
      setFailure(next.state.failure)
      if (next.store.size === undefined || shown.current === next) return
      shown.current?.stop()
      shown.current = next
      setLoader(next)
    }
    const ends = [next.subscribe(settle), next.store.subscribe(settle)]
    next.start()
    settle()
    return () => {
      for (const end of ends) end()
      if (shown.current !== next) next.stop()
      else keep(name, next)
    }
  }, [key])
  useEffect(
    () => () => {
      shown.current?.leave()
      shown.current = undefined
    },
    [],
  )
  return { loader, failure, again: () => asked.current?.reload() }
}

/** Stored in the query cache, so that it is evicted like other data. */
function keep(name: readonly unknown[], loader: RowLoader): void {
  queryClient.removeQueries({ queryKey: name, exact: true })
  queryClient.setQueryData(name, loader)
}

const NEVER = () => () => undefined

/** Rerenders with each change of the rows. */
export function useVersion(loader: RowLoader | undefined): number {
  return useSyncExternalStore(loader?.store.subscribe ?? NEVER, () => loader?.store.version ?? 0)
}

export function useIsLive(loader: RowLoader | undefined): boolean {
  return useSyncExternalStore(loader?.subscribe ?? NEVER, () => loader?.state.isLive ?? false)
}
