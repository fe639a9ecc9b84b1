import type { ImmutableTags as Tags } from '@waypost/sdk/api'
import { useState } from 'react'
import { LongTextField } from '../../design/field.tsx'
import { Panel } from '../../design/page.tsx'
import { text } from '../words.ts'
import { useRepository } from '../use-repository.ts'
import { entriesIn, saveSettings } from './save-settings.ts'
import { SettingsForm } from './settings-form.tsx'

/** Places where something is made once and never changed. */
export function ImmutableTags({ tags }: { tags: Tags }) {
  const { id } = useRepository()
  const [paths, setPaths] = useState(tags.paths.join('\n'))
  const [whitelist, setWhitelist] = useState(tags.whitelist.join('\n'))
  const restore = () => {
    setPaths(tags.paths.join('\n'))
    setWhitelist(tags.whitelist.join('\n'))
  }
  const save = () =>
    saveSettings(id, { immutable_tags: { paths: entriesIn(paths), whitelist: entriesIn(whitelist) } }, restore)
  return (
    <Panel title={text('tags.title')} lead={text('tags.lead')}>
      <SettingsForm onSave={save}>
        {(problemAt) => (
          <>
            <LongTextField
              label={text('tags.paths')}
              hint={text('tags.paths.hint')}
              error={problemAt('immutable_tags.paths')}
              value={paths}
              spellCheck={false}
              onChange={({ target }) => setPaths(target.value)}
            />
            <LongTextField
              label={text('tags.whitelist')}
              hint={text('tags.whitelist.hint')}
              error={problemAt('immutable_tags.whitelist')}
              value={whitelist}
              spellCheck={false}
              onChange={({ target }) => setWhitelist(target.value)}
            />
          </>
        )}
      </SettingsForm>
    </Panel>
  )
}
