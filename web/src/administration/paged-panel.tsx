import { useInfiniteQuery } from '@tanstack/react-query'
import { sizeOf } from '@waypost/sdk'
import { type Answer, Refusal } from '@waypost/sdk/answer'
import { Fragment, type ReactNode } from 'react'
import { Button } from '../design/button.tsx'
import { Empty, Loading, Panel } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import rows from '../design/rows.module.css'
import { text } from './words.ts'

export interface PageAsked {
  readonly limit: number
  readonly cursor?: string
}

interface Props<T> {
  readonly title: string
  readonly lead?: string | undefined
  readonly none: string
  readonly actions?: ReactNode
  readonly queryKey: readonly unknown[]
  readonly load: (page: PageAsked) => Promise<Answer<T[]>>
  readonly keyOf: (row: T) => string | number
  /** An element of the list, a `li`. */
  readonly row: (row: T) => ReactNode
}

const PAGE = 50

/** A list that may be long, page by page: what is new meanwhile moves nothing. */
export function PagedPanel<T>({ title, lead, none, actions, queryKey, load, keyOf, row }: Props<T>) {
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey,
    refetchOnWindowFocus: false, // Nothing moves under who reads; and who reads the audit log is written into it.
    initialPageParam: '',
    queryFn: async ({ pageParam: cursor }) => {
      const answer = await load({ limit: PAGE, ...(cursor !== '' && { cursor }) })
      if (!answer.ok) throw new Refusal(answer)
      return { found: answer.body, size: sizeOf(answer), next: cursorIn(answer.headers) }
    },
    getNextPageParam: ({ next }) => next,
  })
  const found = data?.pages.flatMap((page) => page.found)
  if (error && !found) return <RefusalNotice error={error} onRetry={() => void refetch()} />
  return (
    <Panel title={title} count={data?.pages[0]?.size} {...(lead !== undefined && { lead })} actions={actions} isList>
      {!found && <Loading />}
      {found?.length === 0 && <Empty>{none}</Empty>}
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

/** Where the next page begins; undefined: this is the last one. */
function cursorIn(headers: Headers): string | undefined {
  const [, query = ''] = /<[^>?]*\?([^>]*)>\s*;\s*rel="next"/.exec(headers.get('link') ?? '') ?? []
  return new URLSearchParams(query).get('cursor') ?? undefined
}
