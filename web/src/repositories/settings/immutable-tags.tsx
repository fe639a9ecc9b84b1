import type { ImmutableTags as Tags } from '@waypost/sdk/api'
import { useState } from 'react'
import { LongTextField } from '../../design/field.tsx'
import { Panel } from '../../design/page.tsx'
import { text } from '../messages.ts'
import { useRepository } from '../use-repository.ts'
import { splitLines, saveSettings } from './save-settings.ts'
import { SettingsForm } from './settings-form.tsx'

/** Paths whose content is created once and never changed. */
export function ImmutableTagsForm({ tags }: { tags: Tags }) {
  const { id } = useRepository()
  const [paths, setPaths] = useState(tags.paths.join('\n'))
  const [whitelist, setWhitelist] = useState(tags.whitelist.join('\n'))
  const restore = () => {
    setPaths(tags.paths.join('\n'))
    setWhitelist(tags.whitelist.join('\n'))
  }
  const save = () =>
    saveSettings(id, { immutable_tags: { paths: splitLines(paths), whitelist: splitLines(whitelist) } }, restore)
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
