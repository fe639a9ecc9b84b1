import { queryOptions, useQuery } from '@tanstack/react-query'
import type { NotificationSettings } from '@waypost/sdk/api'
import { api, read } from '../api.ts'
import { ApiCall } from '../design/api-snippets.tsx'
import { ChoiceInput, ChoiceGroup, RadioGroup, SelectField } from '../design/field.tsx'
import { Loading, PageLayout, Panel } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import { queryClient } from '../query-client.ts'
import { showToast } from '../design/toasts.ts'
import { text } from '../accounts/messages.ts'
import styles from './settings-page.module.css'
import { WatchList } from './watch-list.tsx'
import { showRefusal } from '../shell/show-refusal.ts'

const settingsQuery = queryOptions({
  queryKey: ['notification_settings'],
  queryFn: () => read(api.call('GET /users/self/notification_settings')),
})

const LEVELS = ['all', 'status', 'mentions', 'none'] as const
const MAILS = ['immediate', 'hourly', 'daily', 'off'] as const
const HOURS = Array.from({ length: 24 }, (_, hour) => ({ value: hour, label: `${String(hour).padStart(2, '0')}:00` }))

export function NotificationSettingsPage() {
  const { data: settings, error, refetch } = useQuery(settingsQuery)
  return (
    <PageLayout title={text('notices.title')} lead={text('notices.lead')}>
      {error && !settings && <RefusalNotice error={error} onRetry={() => void refetch()} />}
      {!settings && !error && (
        <Panel title={text('notices.inbox')} isList>
          <Loading />
        </Panel>
      )}
      {settings && <Settings settings={settings} />}
      <WatchList />
      <ApiCall path="/users/self/notification_settings" />
    </PageLayout>
  )
}

function Settings({ settings }: { settings: NotificationSettings }) {
  const choose = (changes: Partial<NotificationSettings>) => void save(settings, changes)
  const flag = (name: 'own_changes' | 'assigned' | 'submitted' | 'mute_mentions' | 'short_mails') => (
    <ChoiceInput
      label={text(`notices.${name}`)}
      hint={text(`notices.${name}.hint`)}
      checked={settings[name]}
      onChange={({ target }) => choose({ [name]: target.checked })}
    />
  )
  return (
    <>
      <Panel title={text('notices.inbox')} lead={text('notices.inbox.lead')}>
        <RadioGroup
          label={text('notices.level')}
          name="level"
          values={LEVELS}
          chosen={settings.default_level}
          labelOf={(level) => text(`level.${level}`)}
          hintOf={(level) => text(`level.${level}.hint`)}
          onChoose={(default_level) => choose({ default_level })}
        />
        <ChoiceGroup label={text('notices.also')}>
          {flag('assigned')}
          {flag('submitted')}
          {flag('own_changes')}
          {settings.default_level === 'none' && flag('mute_mentions')}
        </ChoiceGroup>
      </Panel>
      <Panel title={text('notices.mail')} lead={text('notices.mail.lead')}>
        <div className={styles['pair']}>
          <SelectField
            label={text('notices.when')}
            value={settings.mail}
            options={MAILS.map((mail) => ({ value: mail, label: text(`mail.${mail}`) }))}
            onChange={(mail) => choose({ mail })}
          />
          {settings.mail === 'daily' && (
            <SelectField
              label={text('notices.hour')}
              value={settings.digest_hour}
              options={HOURS}
              onChange={(digest_hour) => choose({ digest_hour })}
            />
          )}
        </div>
        {settings.mail !== 'off' && flag('short_mails')}
      </Panel>
    </>
  )
}

/** An optimistic update, rolled back on refusal. Undo reverts only this change, even after later ones. */
async function save(
  before: NotificationSettings,
  changes: Partial<NotificationSettings>,
  isUndo = false,
): Promise<void> {
  const show = (settings: NotificationSettings) => queryClient.setQueryData(settingsQuery.queryKey, settings)
  show({ ...before, ...changes })
  const answer = await api.call('PATCH /users/self/notification_settings', { body: changes })
  if (!answer.ok) {
    show(before)
    showRefusal(answer)
    return
  }
  show(answer.body)
  const earlier = Object.fromEntries(Object.entries(before).filter(([name]) => name in changes))
  const undo = () => void save(queryClient.getQueryData(settingsQuery.queryKey) ?? answer.body, earlier, true)
  showToast(text('saved'), isUndo ? {} : { undo })
}
