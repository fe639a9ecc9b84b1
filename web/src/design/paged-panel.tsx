import { useInfiniteQuery } from '@tanstack/react-query'
import { sizeOf } from '@waypost/sdk'
import { type Answer, Refusal } from '@waypost/sdk/answer'
import { Fragment, type ReactNode } from 'react'
import { Button } from './button.tsx'
import { Empty, Loading, Panel } from './page.tsx'
import { RefusalNotice } from './refusal.tsx'
import rows from './rows.module.css'
import { text } from '../messages/text.ts'

export interface PageRequest {
  readonly limit: number
  readonly cursor?: string
}

interface Props<T> {
  readonly title: string
  readonly lead?: string | undefined
  readonly none: string
  readonly actions?: ReactNode
  /** The names of the columns. */
  readonly head?: ReactNode
  readonly queryKey: readonly unknown[]
  readonly load: (page: PageRequest) => Promise<Answer<T[]>>
  readonly keyOf: (row: T) => string | number
  /** Renders one entry as an `li`. */
  readonly row: (row: T) => ReactNode
}

const PAGE_SIZE = 50

/** A long list, loaded page by page. New entries do not shift the rows that are shown. */
export function PagedPanel<T>({ title, lead, none, actions, head, queryKey, load, keyOf, row }: Props<T>) {
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey,
    refetchOnWindowFocus: false, // Rows must not move while they are read, and each read of the audit log is logged.
    initialPageParam: '',
    queryFn: async ({ pageParam: cursor }) => {
      const answer = await load({ limit: PAGE_SIZE, ...(cursor !== '' && { cursor }) })
      if (!answer.ok) throw new Refusal(answer)
      return { found: answer.body, size: sizeOf(answer), next: nextCursor(answer.headers) }
    },
    getNextPageParam: ({ next }) => next,
  })
  const found = data?.pages.flatMap((page) => page.found)
  if (error && !found) return <RefusalNotice error={error} onRetry={() => void refetch()} />
  return (
    <Panel title={title} count={data?.pages[0]?.size} {...(lead !== undefined && { lead })} actions={actions} isList>
      {!found && <Loading />}
      {found?.length === 0 && <Empty>{none}</Empty>}
      {found && found.length > 0 && head}
      <ul className={rows['rows']}>
        {found?.map((each) => (
          <Fragment key={keyOf(each)}>{row(each)}</Fragment>
        ))}
      </ul>
      {hasNextPage && (
        <Empty
          action={
            <Button isDisabled={isFetchingNextPage} onPress={() => void fetchNextPage()}>
              {text('more')}
            </Button>
          }
        >
          {''}
        </Empty>
      )}
    </Panel>
  )
}

/** The cursor of the next page; undefined on the last page. */
function nextCursor(headers: Headers): string | undefined {
  const [, query = ''] = /<[^>?]*\?([^>]*)>\s*;\s*rel="next"/.exec(headers.get('link') ?? '') ?? []
  return new URLSearchParams(query).get('cursor') ?? undefined
}
