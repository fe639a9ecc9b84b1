import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import type { SvnRevision } from '@waypost/sdk/api'
import { ApiCall } from '../design/api-snippets.tsx'
import { Fact } from '../design/fact.tsx'
import { Day, RelativeTime } from '../design/relative-time.tsx'
import { Empty, Loading, PageLayout, Panel } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import rows from '../design/rows.module.css'
import { useShortcuts } from '../shell/use-shortcuts.ts'
import { text } from './messages.ts'
import { CommitMessage } from './commit-message.tsx'
import { Diff } from './diff.tsx'
import { PathLink } from './path-bar.tsx'
import styles from './revision.module.css'
import { diffQuery, revisionQuery, youngestQuery } from './repository-queries.ts'
import { useParamsOf, useRepository } from './use-repository.ts'

const REVISION = '/projects/$shortname/repositories/$name/revisions/$revision'

/** The message and the changes of one revision. */
export function RevisionPage() {
  const { id } = useRepository()
  const params = useParams({ from: `/shell/own${REVISION}` })
  const number = Number(params.revision)
  const { data: made, error, refetch } = useQuery(revisionQuery(id, number))
  return (
    <PageLayout
      title={text('revision.title', { revision: params.revision })}
      actions={<Neighbours revision={number} />}
    >
      {error && !made && <RefusalNotice error={error} onRetry={() => void refetch()} />}
      {!made && !error && (
        <Panel title={text('revision.message')} isList>
          <Loading />
        </Panel>
      )}
      {made && <Made made={made} />}
      {made && made.paths !== null && <Changes revision={number} />}
      <ApiCall path={`/svn/${id}/diff?to=${params.revision}`} />
    </PageLayout>
  )
}

function Made({ made }: { made: SvnRevision }) {
  const { author_name, date, paths, paths_hidden, paths_truncated } = made
  return (
    <>
      <Panel title={text('revision.message')}>
        <p className={styles['message']}>
          <CommitMessage said={made} />
        </p>
        <dl className={rows['facts']}>
          <Fact name={text('revision.by')}>{author_name ?? text('log.anonymous')}</Fact>
          {date !== null && (
            <Fact name={text('revision.on')}>
              <Day at={date} /> (<RelativeTime at={date} />)
            </Fact>
          )}
        </dl>
      </Panel>
      {paths === null ? (
        <Panel title={text('revision.paths')} isList>
          <Empty>{text('revision.hidden')}</Empty>
        </Panel>
      ) : (
        <Panel title={text('revision.paths')} count={paths.length} isList>
          <ul className={styles['paths']}>
            {paths.map((changed) => (
              <ChangedPath key={changed.path} changed={changed} revision={made.revision} />
            ))}
          </ul>
          {paths_hidden && <Empty>{text('revision.some_hidden')}</Empty>}
          {paths_truncated && <Empty>{text('revision.truncated')}</Empty>}
        </Panel>
      )}
    </>
  )
}

type Changed = NonNullable<SvnRevision['paths']>[number]

function ChangedPath({ changed: { path, op, copied_from }, revision }: { changed: Changed; revision: number }) {
  return (
    <li>
      <span className={styles['op']} data-op={op}>
        {text(`op.${op}`)}
      </span>
      <span>
        {op === 'deleted' ? (
          <code>{path}</code>
        ) : (
          <PathLink view="log" path={path} rev={revision} className={styles['changed']}>
            {path}
          </PathLink>
        )}
        {copied_from !== null && (
          <small>{text('revision.copied', { path: copied_from.path, revision: copied_from.revision })}</small>
        )}
      </span>
    </li>
  )
}

function Changes({ revision }: { revision: number }) {
  const { id } = useRepository()
  const { data: diff, error, refetch } = useQuery(diffQuery(id, revision))
  if (error && !diff) return <RefusalNotice error={error} onRetry={() => void refetch()} />
  if (!diff)
    return (
      <Panel title={text('diff.title')} isList>
        <Loading />
      </Panel>
    )
  return (
    <>
      <h2>{text('diff.files', { count: diff.files.length })}</h2>
      <Diff diff={diff} />
    </>
  )
}

/** Links to the previous and the next revision, also by `p` and `n`. */
function Neighbours({ revision }: { revision: number }) {
  const { id } = useRepository()
  const { data: youngest = 0 } = useQuery(youngestQuery(id))
  const navigate = useNavigate()
  const paramsOf = useParamsOf()
  const { _splat: _, ...params } = paramsOf()
  const to = (other: number) => ({ to: REVISION, params: { ...params, revision: String(other) } }) as const
  const hasPrevious = revision > 1
  const hasNext = revision < youngest
  useShortcuts({
    ...(hasPrevious && { p: () => void navigate(to(revision - 1)) }),
    ...(hasNext && { n: () => void navigate(to(revision + 1)) }),
  })
  return (
    <nav className={styles['neighbours']} aria-label={text('revision.neighbours')}>
      {hasPrevious && <Link {...to(revision - 1)}>{text('revision.previous', { revision: revision - 1 })}</Link>}
      {hasNext && <Link {...to(revision + 1)}>{text('revision.next', { revision: revision + 1 })}</Link>}
    </nav>
  )
}
