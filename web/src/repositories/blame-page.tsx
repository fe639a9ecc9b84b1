import { useInfiniteQuery } from '@tanstack/react-query'
import type { SvnBlamedLine } from '@waypost/sdk/api'
import { Button } from '../design/button.tsx'
import { ApiCall } from '../design/api-snippets.tsx'
import { RelativeTime } from '../design/relative-time.tsx'
import { Empty, Loading, PageLayout, Panel } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import { text } from './messages.ts'
import styles from './code.module.css'
import { PathBar, PathLink, RevisionLink } from './path-bar.tsx'
import { blameQuery } from './repository-queries.ts'
import { useHistoryKey } from './use-history-key.ts'
import { baseName, useRepositoryLocation } from './use-repository.ts'

/** Author and revision of each line. */
export function BlamePage() {
  const place = useRepositoryLocation()
  const { id, path, rev } = place
  const { data, error, refetch, fetchNextPage, hasNextPage } = useInfiniteQuery(blameQuery(place))
  useHistoryKey()
  const lines = data?.pages.flatMap((page) => page.lines)
  return (
    <PageLayout title={text('blame.of', { name: baseName(path) })}>
      <PathBar
        view="blame"
        actions={
          <>
            <PathLink view="file" path={path} rev={rev}>
              {text('blame.file')}
            </PathLink>
            <PathLink view="log" path={path} rev={rev}>
              {text('repository.history')}
            </PathLink>
          </>
        }
      />
      {error && !lines ? (
        <RefusalNotice error={error} onRetry={() => void refetch()} />
      ) : (
        <Panel title={text('blame.title')} lead={text('blame.lead')} isList>
          {!lines && <Loading />}
          {lines?.length === 0 && <Empty>{text('file.empty')}</Empty>}
          {lines && lines.length > 0 && <Blocks lines={lines} />}
          {hasNextPage && (
            <Empty action={<Button onPress={() => void fetchNextPage()}>{text('more')}</Button>}>{''}</Empty>
          )}
        </Panel>
      )}
      <ApiCall path={`/svn/${id}/blame?${new URLSearchParams({ path }).toString()}`} />
    </PageLayout>
  )
}

function Blocks({ lines }: { lines: readonly SvnBlamedLine[] }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reached by keyboard
    <div className={styles['scroll']} role="region" aria-label={text('file.content')} tabIndex={0}>
      {blocksOf(lines).map((block) => (
        <Block key={block[0]?.line} block={block} />
      ))}
    </div>
  )
}

/** Adjacent lines of one revision form a block. */
function blocksOf(lines: readonly SvnBlamedLine[]): SvnBlamedLine[][] {
  const blocks: SvnBlamedLine[][] = []
  for (const line of lines) {
    const last = blocks.at(-1)
    if (last?.[0] && last[0].revision === line.revision) last.push(line)
    else blocks.push([line])
  }
  return blocks
}

function Block({ block }: { block: readonly SvnBlamedLine[] }) {
  const [{ revision, author, date } = { revision: null, author: null, date: null }] = block
  return (
    <div className={styles['blamed']}>
      <div className={styles['who']}>
        {revision === null ? (
          text('blame.hidden')
        ) : (
          <>
            <RevisionLink revision={revision} />
            <span>{author ?? text('log.anonymous')}</span>
            {date !== null && <RelativeTime at={date} />}
          </>
        )}
      </div>
      <div className={styles['numbers']}>
        {block.map(({ line }) => (
          <span key={line}>{line}</span>
        ))}
      </div>
      <pre>{block.map(({ text: written }) => `${written}\n`).join('')}</pre>
    </div>
  )
}
