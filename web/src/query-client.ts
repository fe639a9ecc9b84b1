import { type InvalidateOptions, type InvalidateQueryFilters, QueryClient, type QueryKey } from '@tanstack/react-query'

/**
 * `invalidateQueries` of the library lets a first load continue, and takes its answer for the present state, although it
 * may be from before the change. Here such a query is loaded once more.
 */
export class PagesQueryClient extends QueryClient {
  override async invalidateQueries<Key extends QueryKey>(
    filters?: InvalidateQueryFilters<Key>,
    options?: InvalidateOptions,
  ): Promise<void> {
    const loading = this.getQueryCache()
      .findAll({ ...filters, fetchStatus: 'fetching', type: 'active' })
      .filter(({ state }) => state.data === undefined)
    await super.invalidateQueries(filters, options)
    await Promise.all(loading.map(({ queryKey }) => super.invalidateQueries({ queryKey, exact: true }, options)))
  }
}

/** The cache of server data. The API client retries by itself, so queries do not. */
export const queryClient = new PagesQueryClient({
  defaultOptions: {
    queries: {
      retry: false,
      staleTime: 10_000,
      refetchOnWindowFocus: true,
      // Without a connection too: answers that are kept on the device are returned.
      networkMode: 'always',
      refetchOnReconnect: 'always',
    },
    mutations: { networkMode: 'always' },
  },
})
