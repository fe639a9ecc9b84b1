import { queryOptions } from '@tanstack/react-query'
import { api, read } from '../api.ts'

const MAX_FOUND_PEOPLE = 10
/** The search of people refuses shorter words. */
export const MIN_PERSON_LETTERS = 3

/** People whose name or login contains these words. */
export const peopleQuery = (typed: string) =>
  queryOptions({
    queryKey: ['users', 'named', typed],
    enabled: typed.length >= MIN_PERSON_LETTERS,
    staleTime: 60_000,
    queryFn: () => read(api.call('GET /users', { query: { query: typed, limit: MAX_FOUND_PEOPLE } })),
  })

export const personQuery = (id: number) =>
  queryOptions({
    queryKey: ['users', id],
    staleTime: 300_000,
    queryFn: () => read(api.call('GET /users/{id}', { path: { id } })),
  })
