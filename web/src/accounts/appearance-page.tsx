import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, read } from '../api.ts'
import { OneOf, SelectField } from '../design/field.tsx'
import { Page, Panel } from '../design/page.tsx'
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
import { tell } from '../shell/toasts.ts'
import { text } from '../words/text.ts'
import styles from './security-page.module.css'
import { tellRefusal } from '../shell/tell-refusal.ts'

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
    <Page title={text('appearance.title')} lead={text('appearance.lead')}>
      <Panel title={text('appearance.device')}>
        <OneOf
          label={text('theme')}
          name="theme"
          values={THEMES}
          chosen={theme}
          labelOf={(each) => text(`theme.${each}`)}
          onChoose={showTheme}
        />
        <OneOf
          label={text('density')}
          name="density"
          values={DENSITIES}
          chosen={density}
          labelOf={(each) => text(`density.${each}`)}
          onChoose={showDensity}
        />
      </Panel>
      <TimeZone />
    </Page>
  )
}

const selfQuery = {
  queryKey: ['users', 'self'],
  queryFn: () => read(api.call('GET /users/{id}', { path: { id: 'self' } })),
}

function TimeZone() {
  const { data: user } = useQuery(selfQuery)
  const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]
  const current = (user && 'time_zone' in user ? user.time_zone : undefined) ?? ''
  const choose = async (time_zone: string, isUndo = false) => {
    const body = { time_zone: time_zone === '' ? null : time_zone }
    const answer = await api.call('PATCH /users/{id}', { path: { id: 'self' }, body })
    if (!answer.ok) tellRefusal(answer)
    else tell(text('saved'), isUndo ? {} : { undo: () => void choose(current, true) })
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
