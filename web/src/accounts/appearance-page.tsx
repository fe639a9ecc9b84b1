import { useState } from 'react'
import { RadioGroup } from '../design/field.tsx'
import { PageLayout, Panel } from '../design/page.tsx'
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
import { text } from './messages.ts'

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
    </PageLayout>
  )
}
