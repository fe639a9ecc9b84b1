import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { SvnRevision } from '@waypost/sdk/api'
import { formValue } from '../accounts/auth-layout.tsx'
import { Button } from '../design/button.tsx'
import { ApiCall } from '../design/api-snippets.tsx'
import { TextField } from '../design/field.tsx'
import { FilterForm } from '../design/filter-form.tsx'
import { RelativeTime } from '../design/relative-time.tsx'
import { Empty, Loading, PageLayout, Panel } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import rows from '../design/rows.module.css'
import { text } from './messages.ts'
import { CommitMessage } from './commit-message.tsx'
import { PathBar } from './path-bar.tsx'
import styles from './revision.module.css'
import { logQuery } from './repository-queries.ts'
import { useParamsOf, useRepositoryLocation } from './use-repository.ts'

const LOG = '/projects/$shortname/repositories/$name/log/$'

/** The history of a path, newest first. */
export function LogPage() {
  const place = useRepositoryLocation()
  const { id, path } = place
  const { author, text: words } = useSearch({ from: '/shell/own/projects/$shortname/repositories/$name/log/$' })
  const filter = { ...(author !== undefined && { author }), ...(words !== undefined && { text: words }) }
  const { data, error, refetch, fetchNextPage, hasNextPage } = useInfiniteQuery(logQuery(place, filter))
  const revisions = data?.pages.flatMap((page) => page.revisions)
  const isFiltered = author !== undefined || words !== undefined
  return (
    <PageLayout title={path === '/' ? text('log.title') : text('log.of', { path })}>
      <PathBar view="log" />
      <Filter />
      {error && !revisions ? (
        <RefusalNotice error={error} onRetry={() => void refetch()} />
      ) : (
        <Panel title={text('log.revisions')} count={data?.pages[0]?.size} isList>
          {!revisions && <Loading />}
          {revisions?.length === 0 && <Empty>{text(isFiltered ? 'log.nothing' : 'log.none')}</Empty>}
          <ol className={rows['rows']}>
            {revisions?.map((revision) => (
              <Row key={revision.revision} revision={revision} />
            ))}
          </ol>
          {hasNextPage && (
            <Empty action={<Button onPress={() => void fetchNextPage()}>{text('more')}</Button>}>{''}</Empty>
          )}
        </Panel>
      )}
      <ApiCall path={`/svn/${id}/log?${new URLSearchParams({ path }).toString()}`} />
    </PageLayout>
  )
}

function Filter() {
  const { path, rev } = useRepositoryLocation()
  const { author = '', text: words = '' } = useSearch({
    from: '/shell/own/projects/$shortname/repositories/$name/log/$',
  })
  const paramsOf = useParamsOf()
  const navigate = useNavigate()
  const submit = (values: FormData) => {
    const wanted = `/${formValue(values, 'path').split('/').filter(Boolean).join('/')}`
    const [by, said] = [formValue(values, 'author').trim(), formValue(values, 'text').trim()]
    const isRoot = wanted === '/'
    const search = {
      ...(rev !== undefined && wanted === path && by === '' && said === '' && { rev }),
      ...(isRoot && by !== '' && { author: by }),
      ...(isRoot && said !== '' && { text: said }),
    }
    void navigate({ to: LOG, params: paramsOf(wanted), search })
  }
  return (
    <FilterForm
      label={text('log.filter')}
      className={styles['filter']}
      shown={`${path} ${author} ${words}`}
      onSubmit={submit}
    >
      <TextField label={text('log.path')} name="path" defaultValue={path} autoComplete="off" spellCheck={false} />
      {path === '/' && (
        <>
          <TextField label={text('log.author')} name="author" defaultValue={author} autoComplete="off" />
          <TextField label={text('log.text')} name="text" defaultValue={words} autoComplete="off" />
        </>
      )}
      <Button type="submit">{text('log.show')}</Button>
    </FilterForm>
  )
}

function Row({ revision: made }: { revision: SvnRevision }) {
  const { revision, author_name, date, paths, paths_truncated } = made
  const paramsOf = useParamsOf()
  const { _splat: _, ...params } = paramsOf()
  const to = '/projects/$shortname/repositories/$name/revisions/$revision'
  return (
    <li>
      <div>
        <p className={styles['message']}>
          <CommitMessage said={made} />
        </p>
        <p className={rows['facts']}>
          <span>
            <Link to={to} params={{ ...params, revision: String(revision) }}>
              {text('revision.title', { revision })}
            </Link>
          </span>
          {author_name !== null && <span>{author_name}</span>}
          {date !== null && <RelativeTime at={date} />}
          {paths !== null && !paths_truncated && <span>{text('log.paths', { count: paths.length })}</span>}
        </p>
      </div>
    </li>
  )
}
