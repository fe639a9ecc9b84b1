import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, read } from '../api.ts'
import { RadioGroup, SelectField } from '../design/field.tsx'
import { PageLayout, Panel } from '../design/page.tsx'
import { queryClient } from '../query-client.ts'
import {
  chooseDensity,
  chooseTheme,
  currentDensity,
  currentTheme,
  DENSITIES,
  type Density,
  THEMES,
  type Theme,
} from '../shell/appearance.ts'
import { showToast } from '../shell/toasts.ts'
import { type Language, LANGUAGES, storeLanguage } from '../messages/language.ts'
import { text } from './messages.ts'
import styles from './security-page.module.css'
import { showRefusal } from '../shell/show-refusal.ts'

export function AppearancePage() {
  const [theme, setTheme] = useState(currentTheme)
  const [density, setDensity] = useState(currentDensity)
  const showTheme = (chosen: Theme) => {
    chooseTheme(chosen)
    setTheme(chosen)
  }
  const showDensity = (chosen: Density) => {
    chooseDensity(chosen)
    setDensity(chosen)
  }
  return (
    <PageLayout title={text('appearance.title')} lead={text('appearance.lead')}>
      <Panel title={text('appearance.device')}>
        <RadioGroup
          label={text('theme')}
          name="theme"
          values={THEMES}
          chosen={theme}
          labelOf={(each) => text(`theme.${each}`)}
          onChoose={showTheme}
        />
        <RadioGroup
          label={text('density')}
          name="density"
          values={DENSITIES}
          chosen={density}
          labelOf={(each) => text(`density.${each}`)}
          onChoose={showDensity}
        />
      </Panel>
      <LanguageChoice />
      <TimeZone />
    </PageLayout>
  )
}

const selfQuery = {
  queryKey: ['users', 'self'],
  queryFn: () => read(api.call('GET /users/{id}', { path: { id: 'self' } })),
}

/** Each language by its own name. */
const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch' }

function LanguageChoice() {
  const { data: user } = useQuery(selfQuery)
  const choose = async (tag: string) => {
    const language = tag === '' ? null : tag
    const answer = await api.call('PATCH /users/{id}', { path: { id: 'self' }, body: { language } })
    if (!answer.ok) return showRefusal(answer)
    if (storeLanguage(language)) return location.reload()
    showToast(text('saved'))
    await queryClient.invalidateQueries(selfQuery)
  }
  return (
    <Panel title={text('language.title')} lead={text('language.lead')}>
      <div className={styles['form']}>
        <SelectField
          label={text('language')}
          value={user?.language ?? ''}
          options={[
            { value: '', label: text('language.browser') },
            ...LANGUAGES.map((tag) => ({ value: tag, label: LANGUAGE_NAMES[tag] })),
          ]}
          onChange={(tag) => void choose(tag)}
        />
      </div>
    </Panel>
  )
}

function TimeZone() {
  const { data: user } = useQuery(selfQuery)
  const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]
  const current = (user && 'time_zone' in user ? user.time_zone : undefined) ?? ''
  const choose = async (time_zone: string, isUndo = false) => {
    const body = { time_zone: time_zone === '' ? null : time_zone }
    const answer = await api.call('PATCH /users/{id}', { path: { id: 'self' }, body })
    if (!answer.ok) showRefusal(answer)
    else showToast(text('saved'), isUndo ? {} : { undo: () => void choose(current, true) })
    await queryClient.invalidateQueries(selfQuery)
  }
  return (
    <Panel title={text('zone.title')} lead={text('zone.lead')}>
      <div className={styles['form']}>
        <SelectField
          label={text('zone')}
          value={current}
          options={[
            { value: '', label: text('zone.platform') },
            ...zones.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') })),
          ]}
          onChange={(zone) => void choose(zone)}
        />
      </div>
    </Panel>
  )
}
