import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Artifact } from '@waypost/sdk/api'
import { api, read } from '../../api.ts'

/** An artifact as it was in one of its versions; the last one stays shown while another is loading. */
export const pastArtifactQuery = (id: number, version: number) =>
  queryOptions({
    queryKey: ['artifacts', id, 'version', version],
    queryFn: (): Promise<Artifact> => read(api.call('GET /artifacts/{id}', { path: { id }, query: { version } })),
    placeholderData: keepPreviousData,
  })
