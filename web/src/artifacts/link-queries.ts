import { queryOptions } from '@tanstack/react-query'
import type { Artifact } from '@waypost/sdk/api'
import { api, read } from '../api.ts'
import { containsWords } from '../design/fold-text.ts'

const MAX_FOUND_ARTIFACTS = 10
const MAX_PARENTS = 100
const FIELDS = 'title,xref,html_url,is_open,full_status,tracker,assignees'

/** The labels of artifacts by id. Invisible artifacts are omitted. */
export const namedArtifactsQuery = (ids: readonly number[]) => {
  const wanted = [...new Set(ids)].toSorted((one, other) => one - other).slice(0, 100)
  return queryOptions({
    queryKey: ['artifacts', 'named', wanted.join()],
    enabled: wanted.length > 0,
    staleTime: 30_000,
    queryFn: async () => new Map((await named(wanted)).map((artifact) => [artifact.id, artifact])),
  })
}

/** Artifacts that match these words or this id. */
export const foundArtifactsQuery = (typed: string) =>
  queryOptions({
    queryKey: ['artifacts', 'found', typed],
    enabled: typed.length >= 2 || /^\d+$/.test(typed),
    staleTime: 30_000,
    queryFn: async () => {
      const numbered = /^\d{1,15}$/.test(typed) ? await named([Number(typed)]) : []
      const found = await read(
        api.call('POST /search', {
          query: { limit: MAX_FOUND_ARTIFACTS },
          body: { keywords: typed, types: ['artifact'] },
        }),
      )
      return [
        ...numbered.map(({ id, title, xref }) => ({ id, title: title ?? '', xref })),
        ...found
          .filter(({ per_type_id }) => !numbered.some(({ id }) => id === per_type_id))
          .map(({ per_type_id: id, title, xref }) => ({ id, title: title ?? '', xref: xref ?? '' })),
      ]
    },
  })

/** The types of the links that artifacts of a tracker have. */
export const usedLinkTypesQuery = (tracker: number) =>
  queryOptions({
    queryKey: ['trackers', tracker, 'used_link_types'],
    staleTime: 300_000,
    queryFn: async () => {
      const types = await read(api.call('GET /trackers/{id}/used_artifact_links', { path: { id: tracker } }))
      return types.map(({ shortname }) => shortname)
    },
  })

/** Open artifacts that could be parents of those in a tracker, newest first. */
export const parentsQuery = (tracker: number) =>
  queryOptions({
    queryKey: ['trackers', tracker, 'parents'],
    staleTime: 30_000,
    queryFn: async () => {
      const query = { limit: MAX_PARENTS }
      const found = await read(api.call('GET /trackers/{id}/parent_artifacts', { path: { id: tracker }, query }))
      return found.map(({ id, title, xref }) => ({ id, title: title ?? '', xref }))
    },
  })

/** Those whose reference or title has all of the words. */
export function matching<T extends { readonly title: string; readonly xref: string }>(
  all: readonly T[],
  typed: string,
): readonly T[] {
  return all.filter(({ title, xref }) => containsWords(`${xref} ${title}`, typed))
}

/** Artifacts of the own tracker before others; each part stays in its order. */
export function ofTrackerFirst<T extends { readonly xref: string }>(
  found: readonly T[],
  itemName: string,
): readonly T[] {
  const isOwn = ({ xref }: T) => xref.startsWith(`${itemName} #`)
  return [...found.filter(isOwn), ...found.filter((each) => !isOwn(each))]
}

async function named(ids: readonly number[]): Promise<readonly Artifact[]> {
  const query = { query: JSON.stringify({ id: ids }), fields: FIELDS, limit: 100 }
  const { collection } = await read(api.call('GET /artifacts', { query }))
  return collection
}
