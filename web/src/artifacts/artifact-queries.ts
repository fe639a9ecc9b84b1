import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { sizeOf } from '@waypost/sdk'
import { Refusal } from '@waypost/sdk/answer'
import type { Artifact, Tracker, AnyValue as Value } from '@waypost/sdk/api'
import { api } from '../api.ts'
import { queryClient } from '../query-client.ts'
import { trackerQuery } from '../trackers/tracker-query.ts'

/** An artifact with its form in the current workflow state: frozen fields are read-only. */
export interface OpenArtifact {
  readonly artifact: Artifact
  readonly tracker: Tracker
  /** The ETag of this version. */
  readonly etag: string | undefined
}

export const artifactQuery = (id: number) =>
  queryOptions({
    queryKey: ['artifacts', id],
    queryFn: async (): Promise<OpenArtifact> => {
      const query = { tracker_structure_format: 'state' } as const
      const answer = await api.call('GET /artifacts/{id}', { path: { id }, query })
      if (!answer.ok) throw new Refusal(answer)
      const { body: artifact, etag } = answer
      const tracker = await queryClient.fetchQuery({
        ...trackerQuery(artifact.tracker.id),
        staleTime: TRACKER_STALE_MS,
      })
      return { artifact, tracker: inState(tracker, artifact), etag }
    },
  })

/** A tracker may list thousands of people, so it is not read again with each of its artifacts. */
const TRACKER_STALE_MS = 60_000

function inState(tracker: Tracker, { tracker: state }: Artifact): Tracker {
  if ('fields' in state) return state
  const { frozen_fields: frozen = [], hidden_fieldsets: hidden = [] } = state
  if (frozen.length + hidden.length === 0) return tracker
  const fields = tracker.fields.map((field) => ({
    ...field,
    ...(frozen.includes(field.field_id) && { permissions: field.permissions.filter((right) => right !== 'update') }),
    ...(hidden.includes(field.field_id) && { is_hidden: true }),
  }))
  return { ...tracker, fields }
}

const VERSIONS_PAGE_SIZE = 20

/** Comments and changes, or comments alone; the newest first. */
export const versionsQuery = (id: number, fields: 'all' | 'comments' = 'all') =>
  infiniteQueryOptions({
    queryKey: ['artifacts', id, 'changesets', fields],
    initialPageParam: 0,
    queryFn: async ({ pageParam: offset }) => {
      const query = { order: 'desc', diff: fields === 'all', fields, limit: VERSIONS_PAGE_SIZE, offset } as const
      const answer = await api.call('GET /artifacts/{id}/changesets', { path: { id }, query })
      if (!answer.ok) throw new Refusal(answer)
      return { versions: answer.body, size: sizeOf(answer) }
    },
    getNextPageParam: ({ size }, _, offset) =>
      offset + VERSIONS_PAGE_SIZE < size ? offset + VERSIONS_PAGE_SIZE : undefined,
  })

export interface WithValues {
  readonly values?: readonly Value[] | null
}

export function fieldValue({ values }: WithValues, fieldId: number): Value | undefined {
  return values?.find(({ field_id }) => field_id === fieldId)
}

/** Refetches everything that shows the artifact: its history, lists, the work of the viewer, and pages that refer to it. */
export async function invalidateArtifact(id: number): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: ['artifacts', id] })
  await queryClient.invalidateQueries({ queryKey: ['artifacts', 'assigned'] })
  await queryClient.invalidateQueries({ queryKey: ['artifacts', 'named'] })
}
