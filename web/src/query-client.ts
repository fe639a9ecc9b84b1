import { QueryClient } from '@tanstack/react-query'

/** The cache of server data. The API client retries by itself, so queries do not. */
export const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: false, staleTime: 10_000, refetchOnWindowFocus: true } },
})
