import { queryOptions } from '@tanstack/react-query'
import { sizeOf } from '@waypost/sdk'
import { Refusal } from '@waypost/sdk/answer'
import type { OwnArtifact } from '@waypost/sdk/api'
import { api } from '../api.ts'
import { queryClient } from '../query-client.ts'

export const WORK_SCOPES = ['assigned', 'submitted'] as const
export type WorkScope = (typeof WORK_SCOPES)[number]

/** As the API takes it. */
export const SCOPE_QUERIES = {
  assigned: '{"assigned_to":true}',
  submitted: '{"submitted_by":true}',
} as const satisfies Record<WorkScope, string>

export interface OwnWork {
  /** The artifacts that were changed last, if there are very many. */
  readonly items: readonly OwnArtifact[]
  readonly size: number
}

const PAGE_SIZE = 250
const MAX_ITEMS = 1_000

/** The prefix of everything that shows work of the viewer. */
const OWN_WORK_KEY = ['artifacts', 'assigned'] as const

/** The open artifacts of the viewer over all projects. Usually one request: groups need all of them. */
export function workQuery(scope: WorkScope) {
  return queryOptions({
    queryKey: [...OWN_WORK_KEY, 'list', scope],
    queryFn: async (): Promise<OwnWork> => {
      const found = new Map<number, OwnArtifact>()
      for (let offset = 0; ; offset += PAGE_SIZE) {
        const query = { query: SCOPE_QUERIES[scope], limit: PAGE_SIZE, offset }
        const answer = await api.call('GET /users/{id}/artifacts', { path: { id: 'self' }, query })
        if (!answer.ok) throw new Refusal(answer)
        for (const item of answer.body) found.set(item.id, item)
        const size = sizeOf(answer)
        if (offset + PAGE_SIZE >= Math.min(size, MAX_ITEMS)) return { items: [...found.values()], size }
      }
    },
  })
}

/** Reads lists and counts again, those on the screen at once. */
export function refetchWork(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: OWN_WORK_KEY })
}

/** Shows a change before the server has answered. */
export function showChanged(id: number, change: (item: OwnArtifact) => OwnArtifact): void {
  queryClient.setQueriesData<OwnWork>({ queryKey: [...OWN_WORK_KEY, 'list'] }, (shown) =>
    shown ? { ...shown, items: shown.items.map((item) => (item.id === id ? change(item) : item)) } : shown,
  )
}
