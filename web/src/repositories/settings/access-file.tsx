import { useInfiniteQuery } from '@tanstack/react-query'
import { sizeOf } from '@waypost/sdk'
import { type Failure, Refusal } from '@waypost/sdk/answer'
import type { AccessFileVersion, Repository, RepositorySettings } from '@waypost/sdk/api'
import { useState } from 'react'
import { api } from '../../api.ts'
import { Button } from '../../design/button.tsx'
import { ChoiceInput, LongTextField } from '../../design/field.tsx'
import { RelativeTime } from '../../design/relative-time.tsx'
import { Empty, Loading, Panel } from '../../design/page.tsx'
import { RefusalNotice } from '../../design/refusal.tsx'
import rows from '../../design/rows.module.css'
import { queryClient } from '../../query-client.ts'
import { text } from '../messages.ts'
import { useRepository } from '../use-repository.ts'
import { saveSettings, trySettings } from './save-settings.ts'
import { failureText, SettingsForm } from './settings-form.tsx'
import styles from './settings.module.css'

type Warnings = NonNullable<Repository['warnings']>
type Result = { failure: Failure } | { warnings: Warnings }

/** Read and write access by path. */
export function AccessFile({ settings }: { settings: RepositorySettings }) {
  const { id } = useRepository()
  const [content, setContent] = useState(settings.access_file)
  const [hasDefaults, setDefaults] = useState(settings.has_default_permissions)
  const [result, setResult] = useState<Result>()
  const take = (taken: Pick<RepositorySettings, 'access_file' | 'has_default_permissions'>) => {
    setContent(taken.access_file)
    setDefaults(taken.has_default_permissions)
    setResult(undefined)
  }
  const part = { access_file: content, has_default_permissions: hasDefaults }
  const save = async () => {
    setResult(undefined)
    const answer = await saveSettings(id, part, () => take(settings))
    if (answer.ok) {
      setContent(answer.body.settings?.access_file ?? content)
      if (answer.body.warnings) setResult({ warnings: answer.body.warnings })
    }
    await queryClient.invalidateQueries({ queryKey: ['svn', id, 'access_files'] })
    return answer
  }
  const check = async () => {
    const answer = await trySettings(id, part)
    setResult(answer.ok ? { warnings: warningsIn(answer.body.dry_run.would_answer) } : { failure: answer })
  }
  return (
    <Panel title={text('access.title')} lead={text('access.lead')}>
      <SettingsForm
        onSave={save}
        more={
          <Button kind="quiet" onPress={() => void check()}>
            {text('access.check')}
          </Button>
        }
      >
        {(problemAt) => (
          <>
            <ChoiceInput
              label={text('access.defaults')}
              hint={text('access.defaults.hint')}
              checked={hasDefaults}
              onChange={({ target }) => setDefaults(target.checked)}
            />
            <div className={styles['code']}>
              <LongTextField
                label={text('access.file')}
                hint={text('access.file.hint')}
                error={problemAt('access_file')}
                value={content}
                spellCheck={false}
                rows={8}
                onChange={({ target }) => setContent(target.value)}
              />
            </div>
            <div className={styles['result']} role="status">
              {result && <CheckResult result={result} />}
            </div>
          </>
        )}
      </SettingsForm>
      <Versions onTake={take} />
    </Panel>
  )
}

function CheckResult({ result }: { result: Result }) {
  if ('failure' in result) return <p className={styles['problem']}>{failureText(result.failure)}</p>
  if (result.warnings.length === 0) return <p>{text('access.right')}</p>
  return (
    <ul className={styles['warnings']}>
      {result.warnings.map(({ line, group }) => (
        <li key={line}>{text('access.warning', { line, group })}</li>
      ))}
    </ul>
  )
}

/** The API does not type the result of a dry run; only `warnings` is read. */
function warningsIn(answer: unknown): Warnings {
  if (typeof answer !== 'object' || answer === null || !('warnings' in answer)) return []
  const { warnings } = answer
  return Array.isArray(warnings) ? warnings : []
}

const MAX_SHOWN_VERSIONS = 10

/** Earlier versions, to view and to restore. */
function Versions({ onTake }: { onTake: (version: AccessFileVersion) => void }) {
  const { id } = useRepository()
  const [isOpen, setOpen] = useState(false)
  const { data, error, refetch, fetchNextPage, hasNextPage } = useInfiniteQuery({
    queryKey: ['svn', id, 'access_files'],
    enabled: isOpen,
    initialPageParam: 0,
    queryFn: async ({ pageParam: offset }) => {
      const answer = await api.call('GET /svn/{id}/access_files', {
        path: { id },
        query: { limit: MAX_SHOWN_VERSIONS, offset },
      })
      if (!answer.ok) throw new Refusal(answer)
      return { versions: answer.body, size: sizeOf(answer) }
    },
    getNextPageParam: ({ size }, _, offset) =>
      offset + MAX_SHOWN_VERSIONS < size ? offset + MAX_SHOWN_VERSIONS : undefined,
  })
  return (
    <details className={styles['versions']} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{text('access.versions')}</summary>
      {error && !data && <RefusalNotice error={error} onRetry={() => void refetch()} />}
      {isOpen && !data && !error && <Loading />}
      <ol>
        {data?.pages
          .flatMap(({ versions }) => versions)
          .map((version) => (
            <Version key={version.version} version={version} onTake={() => onTake(version)} />
          ))}
      </ol>
      {hasNextPage && <Empty action={<Button onPress={() => void fetchNextPage()}>{text('more')}</Button>}>{''}</Empty>}
    </details>
  )
}

function Version({ version: made, onTake }: { version: AccessFileVersion; onTake: () => void }) {
  const { version, is_current, access_file, made_by, made_on } = made
  return (
    <li>
      <div className={styles['versionHead']}>
        <p className={rows['facts']}>
          <span>{text('access.version', { version })}</span>
          {made_by !== null && <span>{made_by.username}</span>}
          <RelativeTime at={made_on} />
        </p>
        {is_current ? (
          <span className={`${rows['tag']} ${rows['here']}`}>{text('access.current')}</span>
        ) : (
          <Button kind="quiet" aria-label={text('access.take_what', { version })} onPress={onTake}>
            {text('access.take')}
          </Button>
        )}
      </div>
      <pre>{access_file === '' ? text('access.empty') : access_file}</pre>
    </li>
  )
}
