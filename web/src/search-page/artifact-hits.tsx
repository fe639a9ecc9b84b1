import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { SearchX } from 'lucide-react'
import type { RefObject } from 'react'
import { Button, buttonClass } from '../design/button.tsx'
import { Empty, Loading } from '../design/page.tsx'
import segments from '../design/segments.module.css'
import { RefusalNotice } from '../design/refusal.tsx'
import { text } from '../search/messages.ts'
import { foundQuery } from './found-query.ts'
import { HitRow } from './hit-row.tsx'
import styles from './hits.module.css'
import { countFilters, type SearchAddress, withoutFilters, withSort } from './search-address.ts'

interface Props {
  readonly address: SearchAddress
  readonly words: readonly string[]
  readonly list: RefObject<HTMLUListElement | null>
}

/** The artifacts that match, page by page. */
export function ArtifactHits({ address, words, list }: Props) {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(foundQuery(address))
  const isFiltered = countFilters(address) > 0
  const [first] = data?.pages ?? []
  if (error) return <RefusalNotice error={error} onRetry={() => void refetch()} />
  if (!first) return <Loading />
  const hits = data?.pages.flatMap(({ artifacts }) => artifacts) ?? []
  const none = isFiltered ? 'search.none_filtered' : 'search.none'
  return (
    <>
      <div className={styles['count']}>
        <span role="status">
          {text(first.is_complete ? 'search.found' : 'search.found_many', { count: first.size })}
        </span>
        {isFiltered && <ClearFilters address={address} />}
        {hits.length > 1 && (
          <nav className={segments['segments']} aria-label={text('search.sort')}>
            {([undefined, 'newest'] as const).map((sort) => (
              <Link
                key={sort ?? 'relevance'}
                to="/search"
                search={withSort(address, sort)}
                className={segments['segment']}
                data-current={address.sort === sort || undefined}
                aria-current={address.sort === sort ? 'true' : undefined}
              >
                {text(`search.sort.${sort ?? 'relevance'}`)}
              </Link>
            ))}
          </nav>
        )}
      </div>
      {hits.length === 0 && <Empty icon={SearchX}>{text(none, { words: address.q ?? '' })}</Empty>}
      <ul ref={list} className={styles['hits']}>
        {hits.map((hit) => (
          <HitRow key={hit.id} hit={hit} words={words} />
        ))}
      </ul>
      {hasNextPage && (
        <div className={styles['more']}>
          <Button isBusy={isFetchingNextPage} onPress={() => void fetchNextPage()}>
            {text('more')}
          </Button>
        </div>
      )}
    </>
  )
}

function ClearFilters({ address }: { readonly address: SearchAddress }) {
  return (
    <Link to="/search" search={withoutFilters(address)} className={buttonClass('quiet')}>
      {text('search.clear_filters')}
    </Link>
  )
}
