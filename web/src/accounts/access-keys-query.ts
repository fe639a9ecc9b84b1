import { queryOptions } from '@tanstack/react-query'
import { api } from '../api.ts'

/** Reads all pages: the number of keys is unlimited. */
export const accessKeysQuery = queryOptions({
  queryKey: ['access_keys'],
  queryFn: () =>
    Array.fromAsync(api.list('GET /users/{id}/access_keys', { path: { id: 'self' }, query: { limit: 50 } })),
})
