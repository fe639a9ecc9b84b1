import { useQuery } from '@tanstack/react-query'
import type { QuickCommit, QuickFile } from '@waypost/sdk/api'
import { GitCommitHorizontal, Paperclip, SearchX } from 'lucide-react'
import type { RefObject } from 'react'
import { ArtifactLink } from '../artifacts/artifact-link.tsx'
import { Icon } from '../design/icon.tsx'
import { Empty, Loading } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import { RelativeTime } from '../design/relative-time.tsx'
import { Marked } from '../search/marked.tsx'
import { text } from '../search/messages.ts'
import { PageLink } from '../shell/page-link.tsx'
import styles from './hits.module.css'
import { MAX_OTHERS, othersQuery } from './others-query.ts'
import type { OtherKind, SearchAddress } from './search-address.ts'

interface Props {
  readonly address: SearchAddress
  readonly kind: OtherKind
  readonly words: readonly string[]
  readonly list: RefObject<HTMLUListElement | null>
}

/** The newest files by name, or commits by message. */
export function OtherHits({ address, kind, words, list }: Props) {
  const { data, error, refetch } = useQuery(othersQuery(address, kind))
  if (error) return <RefusalNotice error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading />
  const count = data[kind].length
  return (
    <>
      <p className={styles['count']} role="status">
        {text(count < MAX_OTHERS ? `search.found_${kind}` : `search.newest_${kind}`, { count })}
      </p>
      {count === 0 && <Empty icon={SearchX}>{text(`search.none_${kind}`, { words: address.q ?? '' })}</Empty>}
      <ul ref={list}>
        {kind === 'files'
          ? data.files.map((file) => <FileRow key={file.id} file={file} words={words} />)
          : data.commits.map((commit) => <CommitRow key={commit.uri} commit={commit} words={words} />)}
      </ul>
    </>
  )
}

function FileRow({ file, words }: { readonly file: QuickFile; readonly words: readonly string[] }) {
  const { name, html_url, artifact } = file
  return (
    <li className={styles['hit']}>
      <div className={styles['head']}>
        <Icon of={Paperclip} />
        <a href={html_url} className={styles['name']} dir="auto" data-hit>
          <Marked words={words}>{name}</Marked>
        </a>
      </div>
      <p className={styles['facts']}>
        <ArtifactLink id={artifact.id} dir="auto">
          {artifact.title === null ? artifact.xref : `${artifact.xref} ${artifact.title}`}
        </ArtifactLink>
        <span aria-hidden>·</span>
        <span dir="auto">{artifact.tracker.project.label}</span>
      </p>
    </li>
  )
}

function CommitRow({ commit, words }: { readonly commit: QuickCommit; readonly words: readonly string[] }) {
  const { xref, html_url, message, author_name, date, project } = commit
  return (
    <li className={styles['hit']}>
      <div className={styles['head']}>
        <Icon of={GitCommitHorizontal} />
        <span className={styles['reference']}>{xref}</span>
        <PageLink href={html_url} className={styles['title']} dir="auto" data-hit>
          <Marked words={words}>{message}</Marked>
        </PageLink>
      </div>
      <p className={styles['facts']}>
        {author_name !== null && <span>{author_name}</span>}
        {author_name !== null && <span aria-hidden>·</span>}
        <span dir="auto">{project.label}</span>
        {date !== null && <span aria-hidden>·</span>}
        {date !== null && <RelativeTime at={date} />}
      </p>
    </li>
  )
}
