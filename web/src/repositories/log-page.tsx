import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { SvnRevision } from '@waypost/sdk/api'
import { valueIn } from '../accounts/door.tsx'
import { Button } from '../design/button.tsx'
import { ApiCall } from '../design/copy.tsx'
import { TextField } from '../design/field.tsx'
import { FilterForm } from '../design/filter-form.tsx'
import { Moment } from '../design/moment.tsx'
import { Empty, Loading, Page, Panel } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import rows from '../design/rows.module.css'
import { counted, text } from './words.ts'
import { CommitMessage } from './commit-message.tsx'
import { PathBar } from './path-bar.tsx'
import styles from './revision.module.css'
import { logQuery } from './repository-queries.ts'
import { useParamsOf, usePlace } from './use-repository.ts'

const LOG = '/projects/$shortname/repositories/$name/log/$'

/** What happened to a path, newest first. */
export function LogPage() {
  const place = usePlace()
  const { id, path } = place
  const { author, text: words } = useSearch({ from: '/shell/own/projects/$shortname/repositories/$name/log/$' })
  const filter = { ...(author !== undefined && { author }), ...(words !== undefined && { text: words }) }
  const { data, error, refetch, fetchNextPage, hasNextPage } = useInfiniteQuery(logQuery(place, filter))
  const revisions = data?.pages.flatMap((page) => page.revisions)
  const isFiltered = author !== undefined || words !== undefined
  return (
    <Page title={path === '/' ? text('log.title') : text('log.of', { path })}>
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
    </Page>
  )
}

function Filter() {
  const { path, rev } = usePlace()
  const { author = '', text: words = '' } = useSearch({
    from: '/shell/own/projects/$shortname/repositories/$name/log/$',
  })
  const paramsOf = useParamsOf()
  const navigate = useNavigate()
  const submit = (values: FormData) => {
    const wanted = `/${valueIn(values, 'path').split('/').filter(Boolean).join('/')}`
    const [by, said] = [valueIn(values, 'author').trim(), valueIn(values, 'text').trim()]
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
          {date !== null && <Moment at={date} />}
          {paths !== null && !paths_truncated && <span>{counted('log.one_path', 'log.paths', paths.length)}</span>}
        </p>
      </div>
    </li>
  )
}
