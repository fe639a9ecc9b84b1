import { useInfiniteQuery } from '@tanstack/react-query'
import type { SvnTreeEntry } from '@waypost/sdk/api'
import { Button } from '../design/button.tsx'
import { ApiCall, Copyable } from '../design/api-snippets.tsx'
import { RelativeTime } from '../design/relative-time.tsx'
import { Empty, Hidden, Loading, PageLayout, Panel } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import { text } from './messages.ts'
import { PathBar, PathLink, RevisionLink } from './path-bar.tsx'
import styles from './repository.module.css'
import { treeQuery } from './repository-queries.ts'
import { sizeText } from './size.ts'
import { useHistoryKey } from './use-history-key.ts'
import { baseName, useRepositoryLocation, useRepository } from './use-repository.ts'

/** The content of a directory. */
export function TreePage() {
  const { name, svn_url } = useRepository()
  const place = useRepositoryLocation()
  const { id, path, rev } = place
  const { data, error, refetch, fetchNextPage, hasNextPage } = useInfiniteQuery(treeQuery(place))
  useHistoryKey()
  const entries = data?.pages.flatMap((page) => page.entries)
  const isRoot = path === '/'
  const address = isRoot ? svn_url : `${svn_url}${path.split('/').map(encodeURIComponent).join('/')}`
  return (
    <PageLayout title={isRoot ? name : baseName(path)}>
      <PathBar
        view="tree"
        actions={
          !isRoot && (
            <PathLink view="log" path={path} rev={rev}>
              {text('repository.history')}
            </PathLink>
          )
        }
      />
      {error && !entries ? (
        <RefusalNotice error={error} onRetry={() => void refetch()} />
      ) : (
        <Panel title={text('tree.title')} count={data?.pages[0]?.size} isList>
          {!entries && <Loading />}
          {entries?.length === 0 && <Empty>{text(isRoot ? 'tree.none' : 'tree.empty')}</Empty>}
          {entries && entries.length > 0 && <Entries entries={entries} rev={rev} />}
          {hasNextPage && (
            <Empty action={<Button onPress={() => void fetchNextPage()}>{text('more')}</Button>}>{''}</Empty>
          )}
        </Panel>
      )}
      <Panel title={text('checkout.title')} lead={text('checkout.lead')}>
        <Copyable value={`svn checkout ${address}`} label={text('checkout.label')} />
      </Panel>
      <ApiCall path={`/svn/${id}/tree?${new URLSearchParams({ path }).toString()}`} />
    </PageLayout>
  )
}

function Entries({ entries, rev }: { entries: readonly SvnTreeEntry[]; rev: number | undefined }) {
  return (
    <table className={styles['tree']}>
      <thead>
        <tr>
          <th scope="col">{text('tree.name')}</th>
          <th scope="col">{text('tree.last')}</th>
          <th scope="col">{text('tree.by')}</th>
          <th scope="col">{text('tree.when')}</th>
          <th scope="col">{text('tree.size')}</th>
        </tr>
      </thead>
      <tbody>
        {entries.map(({ name, path, kind, size, last_revision, last_author, last_date }) => (
          <tr key={path}>
            <th scope="row" data-kind={kind}>
              <PathLink view={kind === 'dir' ? 'tree' : 'file'} path={path} rev={rev}>
                {name}
                {kind === 'dir' && <Hidden>{text('tree.directory')}</Hidden>}
              </PathLink>
            </th>
            <td>
              <RevisionLink revision={last_revision} />
            </td>
            <td>{last_author}</td>
            <td>{last_date !== null && <RelativeTime at={last_date} />}</td>
            <td>{size !== null && sizeText(size)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
