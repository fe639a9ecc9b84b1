import { useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import type { SvnFile } from '@waypost/sdk/api'
import { type FormEvent, type RefObject, useRef } from 'react'
import { formValue } from '../accounts/auth-layout.tsx'
import { ApiCall } from '../design/api-snippets.tsx'
import { Empty, Loading, PageLayout, Panel } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import rows from '../design/rows.module.css'
import { Download } from '../shell/download.tsx'
import { text } from './messages.ts'
import { linesIn, NumberedLines } from './numbered-lines.tsx'
import { PathBar, PathLink } from './path-bar.tsx'
import styles from './repository.module.css'
import { fileQuery, rawPath } from './repository-queries.ts'
import { sizeText } from './size.ts'
import { useHistoryKey } from './use-history-key.ts'
import { baseName, useParamsOf, useRepositoryLocation } from './use-repository.ts'

export function FilePage() {
  const place = useRepositoryLocation()
  const { id, path, rev } = place
  const { data: file, error, refetch } = useQuery(fileQuery(place))
  const { hash } = useLocation()
  const navigate = useNavigate()
  const paramsOf = useParamsOf()
  const line = useRef<HTMLInputElement>(null)
  const search = rev === undefined ? {} : { rev }
  useHistoryKey({
    b: () => void navigate({ to: '/projects/$shortname/repositories/$name/blame/$', params: paramsOf(path), search }),
    l: () => line.current?.focus(),
    y: () => file && void navigate({ to: '.', search: { rev: file.rev }, hash: true }),
  })
  return (
    <PageLayout title={baseName(path)}>
      <PathBar
        view="file"
        actions={
          <>
            <PathLink view="blame" path={path} rev={rev}>
              {text('file.blame')}
            </PathLink>
            <PathLink view="log" path={path} rev={rev}>
              {text('repository.history')}
            </PathLink>
            {file && rev === undefined && (
              <PathLink view="file" path={path} rev={file.rev} hash={hash}>
                {text('file.fixed')}
              </PathLink>
            )}
            <Download path={rawPath(place)} name={baseName(path)}>
              {text('file.download')}
            </Download>
          </>
        }
      />
      {error && !file ? (
        <RefusalNotice error={error} onRetry={() => void refetch()} />
      ) : (
        <Panel title={text('file.title')} actions={file && !file.is_binary && <GoToLine field={line} />} isList>
          {file ? <Content file={file} /> : <Loading />}
        </Panel>
      )}
      <ApiCall path={`/svn/${id}/file?${new URLSearchParams({ path }).toString()}`} />
    </PageLayout>
  )
}

function Content({ file }: { file: SvnFile }) {
  const { content, is_binary, size, mime_type, eol, truncated, props } = file
  const names = Object.keys(props)
  if (is_binary) return <Empty>{text('file.binary', { size: sizeText(size), type: mime_type })}</Empty>
  return (
    <>
      <p className={`${rows['facts']} ${styles['fileFacts']}`}>
        <span>{text('file.lines', { count: linesIn(content).length })}</span>
        <span>{sizeText(size)}</span>
        <span>{mime_type}</span>
        {eol !== null && <span>{eol}</span>}
      </p>
      {content === '' ? <Empty>{text('file.empty')}</Empty> : <NumberedLines content={content} />}
      {truncated && <Empty>{text('file.truncated')}</Empty>}
      {names.length > 0 && (
        <details className={styles['properties']}>
          <summary>{text('file.properties', { count: names.length })}</summary>
          <dl>
            {names.map((name) => (
              <div key={name}>
                <dt>
                  <code>{name}</code>
                </dt>
                <dd>{props[name]}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </>
  )
}

/** Line navigation by keyboard; the mouse uses the line numbers. */
function GoToLine({ field }: { field: RefObject<HTMLInputElement | null> }) {
  const navigate = useNavigate()
  const { hash } = useLocation()
  return (
    <form
      className={styles['goto']}
      onSubmit={(event: FormEvent<HTMLFormElement>) => {
        event.preventDefault()
        const line = Number(formValue(new FormData(event.currentTarget), 'line'))
        if (line >= 1) void navigate({ to: '.', search: true, hash: `L${line}` })
      }}
    >
      <label>
        {text('file.go_to')}
        <input
          ref={field}
          name="line"
          inputMode="numeric"
          pattern="[1-9][0-9]*"
          size={5}
          autoComplete="off"
          key={hash}
          defaultValue={/^L(\d+)/.exec(hash)?.[1] ?? ''}
        />
      </label>
    </form>
  )
}
