import { useInfiniteQuery } from '@tanstack/react-query'
import type { SvnBlamedLine } from '@waypost/sdk/api'
import { Button } from '../design/button.tsx'
import { ApiCall } from '../design/copy.tsx'
import { Moment } from '../design/moment.tsx'
import { Empty, Loading, Page, Panel } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import { text } from './words.ts'
import styles from './code.module.css'
import { PathBar, PathLink, RevisionLink } from './path-bar.tsx'
import { blameQuery } from './repository-queries.ts'
import { useHistoryKey } from './use-history-key.ts'
import { nameOf, usePlace } from './use-repository.ts'

/** Who wrote each line, and when. */
export function BlamePage() {
  const place = usePlace()
  const { id, path, rev } = place
  const { data, error, refetch, fetchNextPage, hasNextPage } = useInfiniteQuery(blameQuery(place))
  useHistoryKey()
  const lines = data?.pages.flatMap((page) => page.lines)
  return (
    <Page title={text('blame.of', { name: nameOf(path) })}>
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
    </Page>
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

/** Lines that came by one revision stand together. */
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
            <span>{author ?? text('log.nobody')}</span>
            {date !== null && <Moment at={date} />}
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
