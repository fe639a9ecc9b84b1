import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { ListFilter, Search } from 'lucide-react'
import { useRef, useState } from 'react'
import { ApiCall } from '../design/api-snippets.tsx'
import { useSession } from '../accounts/session.ts'
import { Button, buttonClass } from '../design/button.tsx'
import { Icon } from '../design/icon.tsx'
import { Empty, PageLayout } from '../design/page.tsx'
import { HelpLink } from '../help/help-link.tsx'
import { text } from '../search/messages.ts'
import { ArtifactHits } from './artifact-hits.tsx'
import { FacetList } from './facet-list.tsx'
import { foundQuery } from './found-query.ts'
import { KindList } from './kind-list.tsx'
import { OtherHits } from './other-hits.tsx'
import styles from './search-page.module.css'
import { countFilters, readSearchAddress, type SearchAddress, toSearchParameters } from './search-address.ts'
import { SearchField } from './search-field.tsx'
import { useHitKeys } from './use-hit-keys.ts'

/** Finds artifacts by words, and narrows them by facets. The address holds the whole state. */
export function SearchPage() {
  const address = useSearch({ from: '/shell/search', select: readSearchAddress, structuralSharing: true })
  const { q = '', kind } = address
  const navigate = useNavigate()
  const [areFacetsOpen, setFacetsOpen] = useState(false)
  const list = useRef<HTMLUListElement>(null)
  const step = useHitKeys(list)
  const { data, isPlaceholderData } = useInfiniteQuery(foundQuery(address))
  const [first] = data?.pages ?? []
  const filters = countFilters(address)
  const words = q.split(/\s+/).filter((word) => word !== '')
  const search = (typed: string) => {
    const { q: _, ...rest } = address
    void navigate({ to: '/search', search: typed === '' ? rest : { ...rest, q: typed }, replace: true })
  }
  return (
    <PageLayout title={text('nav.search')} actions={<Actions isBesideFilters={false} hasFilters={q !== ''} />}>
      <SearchField words={q} onWords={search} onDown={() => step(1)} />
      {q === '' && <Empty icon={Search}>{text('search.start')}</Empty>}
      {q !== '' && (
        <div className={styles['columns']}>
          <aside className={styles['facets']} aria-label={text('search.facets')} data-open={areFacetsOpen}>
            <div className={styles['toggle']}>
              <Button aria-expanded={areFacetsOpen} onPress={() => setFacetsOpen(!areFacetsOpen)}>
                <Icon of={ListFilter} />
                {text('search.filters', { count: filters })}
              </Button>
              <Actions isBesideFilters hasFilters />
            </div>
            <div className={styles['lists']}>
              <KindList address={address} artifacts={first?.size} />
              {first && kind === undefined && <FacetList facets={first.facets} address={address} />}
            </div>
          </aside>
          <section className={styles['found']} aria-label={text('search.hits_title')} aria-busy={isPlaceholderData}>
            {kind === undefined ? (
              <ArtifactHits address={address} words={words} list={list} />
            ) : (
              <OtherHits address={address} kind={kind} words={words} list={list} />
            )}
          </section>
        </div>
      )}
      {q !== '' && kind === undefined && <ApiCall path={`/search/artifacts?${parametersOf(address)}`} />}
    </PageLayout>
  )
}

/** On a phone they stand beside the filters, so that the page begins with the words. */
function Actions({ isBesideFilters, hasFilters }: { isBesideFilters: boolean; hasFilters: boolean }) {
  const { data: session } = useSession()
  const place = isBesideFilters ? 'narrow' : hasFilters ? 'wide' : ''
  return (
    <div className={`${styles['actions']} ${styles[place] ?? ''}`}>
      {session && (
        <Link to="/report" className={buttonClass()}>
          {text('nav.report')}
        </Link>
      )}
      <HelpLink topic="search" />
    </div>
  )
}

function parametersOf(address: SearchAddress): string {
  const entries = Object.entries(toSearchParameters(address)).map(([name, value]) => [name, String(value)])
  // A quote would end the argument of the shell.
  return new URLSearchParams(entries).toString().replaceAll("'", '%27')
}
