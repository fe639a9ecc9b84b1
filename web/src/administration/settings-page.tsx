import { queryOptions, useQuery } from '@tanstack/react-query'
import { type Failure, Refusal } from '@waypost/sdk/answer'
import type { Settings, SettingsChanges } from '@waypost/sdk/api'
import { type FormEvent, useState } from 'react'
import { FormProblem } from '../design/problem.tsx'
import { api } from '../api.ts'
import { Button } from '../design/button.tsx'
import { ApiCall } from '../design/api-snippets.tsx'
import { Loading, PageLayout, Panel } from '../design/page.tsx'
import { RefusalNotice, refusalText } from '../design/refusal.tsx'
import { queryClient } from '../query-client.ts'
import { showToast } from '../design/toasts.ts'
import { text } from './messages.ts'
import styles from './administration.module.css'
import { SettingField } from './setting-field.tsx'
import { SETTING_GROUPS, type SettingName, type Typed, toTyped, settingValue } from './settings-fields.ts'
import { showRefusal } from '../shell/show-refusal.ts'

const settingsQuery = queryOptions({
  queryKey: ['administration', 'settings'],
  queryFn: async () => {
    const answer = await api.call('GET /settings')
    if (!answer.ok) throw new Refusal(answer)
    return { settings: answer.body, etag: answer.etag }
  },
})

export function SiteSettingsPage() {
  const { data, error, refetch } = useQuery(settingsQuery)
  return (
    <PageLayout title={text('settings.title')} lead={text('settings.lead')}>
      {error && !data && <RefusalNotice error={error} onRetry={() => void refetch()} />}
      {!data && !error && (
        <Panel title={text('settings.deletion')} isList>
          <Loading />
        </Panel>
      )}
      {data && <SettingsForm settings={data.settings} />}
      <ApiCall path="/settings" />
    </PageLayout>
  )
}

const FIELDS = SETTING_GROUPS.flatMap(({ fields }) => fields)
type Drafts = Partial<Record<SettingName, Typed>>

function SettingsForm({ settings }: { settings: Settings }) {
  const [drafts, setDrafts] = useState<Drafts>({})
  const [failure, setFailure] = useState<Failure>()
  const changed = FIELDS.filter(([name]) => drafts[name] !== undefined && drafts[name] !== toTyped(settings[name]))
  const save = async () => {
    const changes: SettingsChanges = Object.fromEntries(
      changed.map(([name, kind]) => [name, settingValue(drafts[name] ?? '', kind)]),
    )
    const refused = await saveSettings(settings, changes)
    setFailure(refused)
    if (!refused) setDrafts({})
  }
  const problemAt = (name: SettingName) => {
    const problems = failure?.details.all ?? (failure ? [failure.details] : [])
    const problem = problems.find(({ path }) => path?.split(/[.[]/)[0] === name)
    return problem && ('message' in problem && typeof problem.message === 'string' ? problem.message : failure?.message)
  }
  const isElsewhere = failure && FIELDS.every(([name]) => problemAt(name) === undefined)
  return (
    <form
      className={styles['form']}
      noValidate
      onSubmit={(event: FormEvent<HTMLFormElement>) => {
        event.preventDefault()
        void save()
      }}
    >
      {SETTING_GROUPS.map(({ name: group, fields }) => (
        <Panel key={group} title={text(`settings.${group}`)}>
          <div className={styles['settings']}>
            {fields.map(([name, kind]) => (
              <SettingField
                key={name}
                name={name}
                kind={kind}
                typed={drafts[name] ?? toTyped(settings[name])}
                isFixed={settings.fixed.includes(name)}
                error={problemAt(name)}
                onType={(typed) => setDrafts({ ...drafts, [name]: typed })}
              />
            ))}
          </div>
        </Panel>
      ))}
      <div className={styles['save']}>
        <Button kind="primary" type="submit" isDisabled={changed.length === 0}>
          {text('settings.save')}
        </Button>
        <span role="status">{changed.length > 0 && text('settings.changed', { count: changed.length })}</span>
        <FormProblem>{failure && (isElsewhere ? refusalText(failure) : text('settings.problem'))}</FormProblem>
      </div>
    </form>
  )
}

/** Returns undefined on success. Undo reverts only these changes. */
async function saveSettings(before: Settings, changes: SettingsChanges, isUndo = false): Promise<Failure | undefined> {
  const { etag } = await queryClient.ensureQueryData(settingsQuery)
  const answer = await api.call('PATCH /settings', { body: changes, ...(etag !== undefined && { ifMatch: etag }) })
  if (!answer.ok) {
    await queryClient.invalidateQueries(settingsQuery)
    return answer
  }
  queryClient.setQueryData(settingsQuery.queryKey, { settings: answer.body, etag: answer.etag })
  const earlier: SettingsChanges = Object.fromEntries(Object.entries(before).filter(([name]) => name in changes))
  showToast(text('saved'), isUndo ? {} : { undo: () => void undo(answer.body, earlier) })
  return undefined
}

async function undo(before: Settings, earlier: SettingsChanges): Promise<void> {
  const refused = await saveSettings(before, earlier, true)
  if (refused) showRefusal(refused)
}
