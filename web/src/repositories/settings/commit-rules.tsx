import type { CommitRules as Rules } from '@waypost/sdk/api'
import { useState } from 'react'
import { ChoiceInput, LongTextField, TextField } from '../../design/field.tsx'
import { Panel } from '../../design/page.tsx'
import { text } from '../messages.ts'
import { useRepository } from '../use-repository.ts'
import { splitLines, saveSettings } from './save-settings.ts'
import { SettingsForm } from './settings-form.tsx'

/** Requirements on commit messages, which can also tie commits to the workflow of a tracker. */
export function CommitRules({ rules }: { rules: Rules }) {
  const { id } = useRepository()
  const [draft, setDraft] = useState(draftOf(rules))
  const change = (changes: Partial<Draft>) => setDraft({ ...draft, ...changes })
  const save = () => saveSettings(id, { commit_rules: rulesOf(draft) }, () => setDraft(draftOf(rules)))
  return (
    <Panel title={text('rules.title')} lead={text('rules.lead')}>
      <SettingsForm onSave={save}>
        {(problemAt) => (
          <>
            <div>
              <ChoiceInput
                label={text('rules.reference')}
                hint={text('rules.reference.hint')}
                checked={draft.isReferenceMandatory}
                onChange={({ target }) => change({ isReferenceMandatory: target.checked })}
              />
              <ChoiceInput
                label={text('rules.message')}
                hint={text('rules.message.hint')}
                checked={draft.isMessageChangeable}
                onChange={({ target }) => change({ isMessageChangeable: target.checked })}
              />
            </div>
            <LongTextField
              label={text('rules.states')}
              hint={text('rules.states.hint')}
              error={problemAt('commit_rules.required_states')}
              value={draft.states}
              onChange={({ target }) => change({ states: target.value })}
            />
            <TextField
              label={text('rules.moves_to')}
              hint={text('rules.moves_to.hint')}
              error={problemAt('commit_rules.moves_to')}
              value={draft.movesTo}
              onChange={({ target }) => change({ movesTo: target.value })}
            />
          </>
        )}
      </SettingsForm>
    </Panel>
  )
}

interface Draft {
  readonly isReferenceMandatory: boolean
  readonly isMessageChangeable: boolean
  /** One per line. */
  readonly states: string
  readonly movesTo: string
}

function draftOf(rules: Rules): Draft {
  return {
    isReferenceMandatory: rules.is_reference_mandatory,
    isMessageChangeable: rules.is_commit_message_change_allowed,
    states: (rules.required_states ?? []).join('\n'),
    movesTo: rules.moves_to ?? '',
  }
}

function rulesOf({ isReferenceMandatory, isMessageChangeable, states, movesTo }: Draft): Rules {
  const required_states = splitLines(states)
  const moves_to = movesTo.trim()
  return {
    is_reference_mandatory: isReferenceMandatory,
    is_commit_message_change_allowed: isMessageChangeable,
    ...(required_states.length > 0 && { required_states }),
    ...(moves_to !== '' && { moves_to }),
  }
}
