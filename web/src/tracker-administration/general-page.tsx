import { useQuery } from '@tanstack/react-query'
import type { TrackerSettings } from '@waypost/sdk/api'
import { ChoiceInput, SelectField } from '../design/field.tsx'
import { Panel } from '../design/page.tsx'
import { useMayAdminister } from '../projects/use-may-administer.ts'
import { DeleteTracker } from './delete-tracker.tsx'
import type { Definition } from './definition.ts'
import { DraftText } from './draft-text.tsx'
import { useDraft } from './draft.ts'
import styles from './form.module.css'
import { COLOR_NAMES } from './list-values.tsx'
import { text } from './messages.ts'
import { AdministrationScreen } from './screen.tsx'
import { siblingsQuery } from './siblings-query.ts'

const LEVELS = ['all', 'status_change', 'none'] as const
const FLAGS = [
  'allow_copy',
  'allow_move',
  'allow_deletion',
  'private_comments',
  'in_new_dropdown',
  'instantiate_for_new_projects',
  'log_priority_changes',
  'require_precondition',
] as const
/** Set unless the document says otherwise. */
const ON_BY_DEFAULT: readonly string[] = ['allow_copy', 'allow_move', 'allow_deletion', 'in_new_dropdown']
const NONE = ''

/** Names, colour, parent and options of a tracker. */
export function GeneralPage() {
  const { tracker, definition, change } = useDraft()
  const { data: siblings = [] } = useQuery(siblingsQuery(tracker.project.id))
  const mayDelete = useMayAdminister(tracker.project.id)
  const { label = '', item_name = '', description = '', color_name = '', settings = {} } = definition
  const set = (what: string, members: Partial<Definition>) =>
    change(text('general.changed', { what }), (before) => ({ ...before, ...members }))
  const setOption = (what: string, members: TrackerSettings) =>
    change(text('general.changed', { what }), (before) => ({
      ...before,
      settings: { ...before.settings, ...members },
    }))
  const parent = definition.hierarchy?.parent ?? NONE
  return (
    <AdministrationScreen title={text('administration.general')} lead={text('general.lead')}>
      <Panel title={text('general.names')}>
        <div className={styles['pair']}>
          <DraftText
            label={text('general.label')}
            value={label}
            isRequired
            onCommit={(value) => set(text('general.label'), { label: value })}
          />
          <DraftText
            label={text('general.item_name')}
            hint={text('general.item_name.hint', { example: `${item_name} #12` })}
            value={item_name}
            isRequired
            onCommit={(value) => set(text('general.item_name'), { item_name: value })}
          />
        </div>
        <DraftText
          label={text('general.description')}
          value={description}
          isLong
          onCommit={(value) => set(text('general.description'), { description: value })}
        />
        <div className={styles['pair']}>
          <SelectField
            label={text('general.color')}
            value={color_name}
            options={COLOR_NAMES.map((name) => ({ value: name, label: name.replaceAll('-', ' ') }))}
            onChange={(value) => set(text('general.color'), { color_name: value })}
          />
          <SelectField
            label={text('general.parent')}
            hint={text('general.parent.hint')}
            value={parent}
            options={[
              { value: NONE, label: text('semantics.none') },
              ...siblings
                .filter(({ id }) => id !== tracker.id)
                .map((each) => ({ value: each.item_name, label: each.label })),
            ]}
            onChange={(value) => set(text('general.parent'), { hierarchy: { parent: value === NONE ? null : value } })}
          />
        </div>
      </Panel>
      <Panel title={text('general.instructions')} lead={text('general.instructions.lead')}>
        {(['submit_instructions', 'browse_instructions'] as const).map((name) => (
          <DraftText
            key={name}
            label={text(`general.${name}`)}
            value={settings[name] ?? ''}
            isLong
            onCommit={(value) => setOption(text(`general.${name}`), { [name]: value })}
          />
        ))}
      </Panel>
      <Panel title={text('general.options')}>
        <SelectField
          label={text('general.notifications_level')}
          hint={text('general.notifications_level.hint')}
          value={settings.notifications_level ?? 'all'}
          options={LEVELS.map((value) => ({ value, label: text(`general.level.${value}`) }))}
          onChange={(value) => setOption(text('general.notifications_level'), { notifications_level: value })}
        />
        <div>
          {FLAGS.map((name) => (
            <ChoiceInput
              key={name}
              label={text(`general.${name}`)}
              checked={settings[name] ?? ON_BY_DEFAULT.includes(name)}
              onChange={({ target }) => setOption(text(`general.${name}`), { [name]: target.checked })}
            />
          ))}
        </div>
      </Panel>
      {mayDelete && <DeleteTracker />}
    </AdministrationScreen>
  )
}
