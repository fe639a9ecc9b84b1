import { QueryClient } from '@tanstack/react-query'

/** Everything that came from the server, in one place. The client tries again by itself; here nothing is tried twice. */
export const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: false, staleTime: 10_000, refetchOnWindowFocus: true } },
})
