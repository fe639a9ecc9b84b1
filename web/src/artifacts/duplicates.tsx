import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Found } from '@waypost/sdk/api'
import { api, read } from '../api.ts'
import { text } from './messages.ts'
import { ArtifactLink } from './artifact-link.tsx'
import { useDebounced } from './use-debounced.ts'
import styles from './duplicates.module.css'

const MAX_DUPLICATES = 5

/** Searches for the two longest words of the title, or only the longest: duplicates usually share these. */
const similarArtifactsQuery = (tracker: number, keywords: string) =>
  queryOptions({
    queryKey: ['trackers', tracker, 'alike', keywords],
    enabled: keywords !== '',
    staleTime: 30_000,
    queryFn: async () => {
      const both = await search(tracker, keywords)
      return both.length > 0 ? both : search(tracker, keywords.split(' ', 1).join(''))
    },
  })

function search(tracker: number, keywords: string): Promise<Found[]> {
  const body = { keywords, tracker, types: ['artifact' as const] }
  return read(api.call('POST /search', { query: { limit: MAX_DUPLICATES }, body }))
}

/** Existing artifacts that resemble the new one. */
export function Duplicates({ tracker, title }: { tracker: number; title: string }) {
  const keywords = useDebounced(longestWords(title))
  const { data: found = [] } = useQuery(similarArtifactsQuery(tracker, keywords))
  return (
    <div aria-live="polite">
      {keywords !== '' && found.length > 0 && (
        <div className={styles['alike']}>
          <p>{text('new.alike')}</p>
          <ul>
            {found.map(({ per_type_id: id, xref, title: name }) => (
              <li key={id}>
                <ArtifactLink id={id} target="_blank">
                  {name ?? xref}
                </ArtifactLink>{' '}
                <small>{xref}</small>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  )
}

function longestWords(title: string): string {
  const words = title.match(/[\p{L}\p{N}]{4,}/gu) ?? []
  return [...new Set(words)]
    .toSorted((one, other) => other.length - one.length)
    .slice(0, 2)
    .join(' ')
}
