import type { Failure } from '@waypost/sdk/answer'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { queryClient } from '../query-client.ts'
import type { GridRows } from './grid-rows.ts'
import { isOfQuery } from './query-faults.ts'

export interface Rows<Loader extends GridRows> {
  /** Undefined: not loaded yet, or the query was refused: rows of the previous one would look like its result. */
  readonly loader: Loader | undefined
  /** The refusal of the last query. If it is not about the query itself, the previous rows stay visible. */
  readonly failure: Failure | undefined
  readonly again: () => void
}

/**
 * The rows of a loader; another key asks for another one. The old rows stay until the new ones have loaded; after
 * navigating back, cached rows are shown first and then refreshed.
 */
export function useRows<Loader extends GridRows>(key: string, create: () => Loader): Rows<Loader> {
  const name = ['rows', key]
  const [loader, setLoader] = useState(() => queryClient.getQueryData<Loader>(name))
  const [failure, setFailure] = useState<Failure>()
  const shown = useRef<Loader>(undefined)
  const asked = useRef<Loader>(undefined)
  useEffect(() => {
    const next = queryClient.getQueryData<Loader>(name) ?? create()
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
  return { loader: isOfQuery(failure) ? undefined : loader, failure, again: () => asked.current?.reload() }
}

/** Stored in the query cache, so that it is evicted like other data. */
function keep(name: readonly unknown[], loader: GridRows): void {
  queryClient.removeQueries({ queryKey: name, exact: true })
  queryClient.setQueryData(name, loader)
}

const NEVER = () => () => undefined

/** Rerenders with each change of the rows. */
export function useVersion(loader: GridRows | undefined): number {
  return useSyncExternalStore(loader?.store.subscribe ?? NEVER, () => loader?.store.version ?? 0)
}

export function useIsLive(loader: GridRows | undefined): boolean {
  return useSyncExternalStore(loader?.subscribe ?? NEVER, () => loader?.state.isLive ?? false)
}
