import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { SearchX } from 'lucide-react'
import { toQueryString } from '@waypost/sdk'
import { failureOf } from '../api.ts'
import { ApiCall } from '../design/api-snippets.tsx'
import { Button } from '../design/button.tsx'
import { Empty, Loading, PageLayout } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import { Download } from '../shell/download.tsx'
import { AcrossCell } from './across-cell.tsx'
import { AcrossForm, columnLabel } from './across-form.tsx'
import { acrossParameter, acrossQuery } from './across-query.ts'
import { readAcrossSearch } from './across-search.ts'
import styles from './across.module.css'
import { text } from './messages.ts'
import { writeAcrossQuery } from './write-across-query.ts'

/** Artifacts of several trackers and projects in one table. */
export function AcrossPage() {
  const search = useSearch({ from: '/shell/own/report', select: readAcrossSearch, structuralSharing: true })
  const navigate = useNavigate()
  const tql = writeAcrossQuery(search)
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage, isPlaceholderData } = useInfiniteQuery(
    acrossQuery(tql),
  )
  const failure = failureOf(error)
  const isRefused = failure?.status === 400 && search.where !== undefined
  const csv = `/crosstracker_query/content.csv${toQueryString({ query: acrossParameter(tql), bom: true })}`
  const [first] = data?.pages ?? []
  return (
    <PageLayout
      title={text('across.title')}
      lead={text('across.lead')}
      actions={
        <Download path={csv} name="report.csv" accept="text/csv" label={text('table.export.hint')}>
          {text('table.export')}
        </Download>
      }
    >
      <AcrossForm
        search={search}
        error={isRefused ? failure.message : undefined}
        onChange={(next) => void navigate({ to: '/report', search: next, replace: true, resetScroll: false })}
      />
      {error && !isRefused && <RefusalNotice error={error} onRetry={() => void refetch()} />}
      {!first && !error && <Loading />}
      {first && (
        <>
          <p className={styles['count']} role="status">
            {text('table.rows', { count: first.size })}
          </p>
          {first.size === 0 && <Empty icon={SearchX}>{text('table.none_found')}</Empty>}
          {first.size > 0 && (
            <table className={styles['table']} aria-label={text('across.title')} aria-busy={isPlaceholderData}>
              <thead>
                <tr>
                  {first.selected.slice(1).map(({ name }) => (
                    <th key={name} scope="col">
                      {columnLabel(name)}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {data?.pages
                  .flatMap(({ artifacts }) => artifacts)
                  .map((row, index) => (
                    <tr key={index}>
                      {first.selected.slice(1).map(({ name, type }) => (
                        <td key={name} data-type={type}>
                          <AcrossCell type={type} cell={row[name]} />
                        </td>
                      ))}
                    </tr>
                  ))}
              </tbody>
            </table>
          )}
          {hasNextPage && (
            <Button isBusy={isFetchingNextPage} onPress={() => void fetchNextPage()}>
              {text('more')}
            </Button>
          )}
        </>
      )}
      <ApiCall path={`/crosstracker_query/content${toQueryString({ query: acrossParameter(tql) })}`} />
    </PageLayout>
  )
}
