import type { User } from '@waypost/sdk/api'
import styles from '../accounts/security-page.module.css'
import { text } from '../accounts/messages.ts'
import { api } from '../api.ts'
import { SelectField } from '../design/field.tsx'
import { Panel } from '../design/page.tsx'
import { type Language, LANGUAGES, storeLanguage } from '../messages/language.ts'
import { showRefusal } from '../shell/show-refusal.ts'
import { showToast } from '../design/toasts.ts'
import { refreshAllQueries, saveProfile } from './self-query.ts'

/** Each language by its own name. */
const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch' }

export function LanguageAndZone({ user }: { readonly user: User }) {
  return (
    <Panel title={text('profile.region')} lead={text('profile.region.lead')}>
      <div className={styles['form']}>
        <LanguageChoice language={user.language ?? ''} />
        <ZoneChoice current={user.time_zone ?? ''} />
      </div>
    </Panel>
  )
}

function LanguageChoice({ language: current }: { readonly language: string }) {
  const choose = async (tag: string) => {
    const language = tag === '' ? null : tag
    const answer = await api.call('PATCH /users/{id}', { path: { id: 'self' }, body: { language } })
    if (!answer.ok) return showRefusal(answer)
    if (storeLanguage(language)) return location.reload()
    showToast(text('saved'))
    await refreshAllQueries()
  }
  return (
    <SelectField
      label={text('language')}
      hint={text('language.lead')}
      value={current}
      options={[
        { value: '', label: text('language.browser') },
        ...LANGUAGES.map((tag) => ({ value: tag, label: LANGUAGE_NAMES[tag] })),
      ]}
      onChange={(tag) => void choose(tag)}
    />
  )
}

function ZoneChoice({ current }: { readonly current: string }) {
  const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]
  const choose = async (zone: string) => {
    const refused = await saveProfile({ time_zone: zone || null }, { time_zone: current || null })
    if (refused) showRefusal(refused)
  }
  return (
    <SelectField
      label={text('zone')}
      hint={text('zone.lead')}
      value={current}
      options={[
        { value: '', label: text('zone.platform') },
        ...zones.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') })),
      ]}
      onChange={(zone) => void choose(zone)}
    />
  )
}
