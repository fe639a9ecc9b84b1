import type { Failure } from '@waypost/sdk/answer'
import { type FormEvent, useRef, useState } from 'react'
import { Button } from '../design/button.tsx'
import { ChoiceInput, LongTextField, TextField } from '../design/field.tsx'
import { focusProblem, hasProblemAt, problemReason } from '../design/form-problems.ts'
import { Panel } from '../design/page.tsx'
import { FormProblem } from '../design/problem.tsx'
import { refusalText } from '../design/refusal.tsx'
import { text } from '../projects/messages.ts'
import { VisibilityChoice } from '../projects/visibility-choice.tsx'
import styles from './project-settings.module.css'
import { saveProject, useSettingsProject } from './use-settings-project.ts'

export function GeneralForm({ onUndone }: { readonly onUndone: () => void }) {
  const project = useSettingsProject()
  const form = useRef<HTMLFormElement>(null)
  const [label, setLabel] = useState(project.label_without_icon)
  const [icon, setIcon] = useState(project.icon)
  const [description, setDescription] = useState(project.description)
  const [access, setAccess] = useState(project.access)
  const [is_template, setTemplate] = useState(project.is_template)
  const [failure, setFailure] = useState<Failure>()
  const [isBusy, setBusy] = useState(false)
  const submit = async () => {
    setBusy(true)
    const refused = await saveProject(project, { label, icon, description, access, is_template }, onUndone)
    setBusy(false)
    setFailure(refused)
    if (refused) focusProblem(form.current, refused)
  }
  const isElsewhere = failure && !hasProblemAt(failure, ['label', 'icon'])
  return (
    <Panel title={text('project_settings.about')}>
      <form
        ref={form}
        className={styles['form']}
        noValidate
        onSubmit={(event: FormEvent<HTMLFormElement>) => {
          event.preventDefault()
          void submit()
        }}
      >
        <div className={styles['names']}>
          <TextField
            label={text('project_settings.icon')}
            name="icon"
            value={icon}
            autoComplete="off"
            placeholder={text('project_settings.icon.example')}
            error={problemReason(failure, 'icon') && text('project_settings.icon.error')}
            onChange={({ target }) => setIcon(target.value)}
          />
          <TextField
            label={text('new_project.name')}
            name="label"
            value={label}
            maxLength={40}
            autoComplete="off"
            required
            error={problemReason(failure, 'label') && text('new_project.name.error')}
            onChange={({ target }) => setLabel(target.value)}
          />
        </div>
        <LongTextField
          label={text('new_project.description')}
          name="description"
          value={description}
          maxLength={10_000}
          onChange={({ target }) => setDescription(target.value)}
        />
        <VisibilityChoice chosen={access} onChoose={setAccess} />
        <ChoiceInput
          label={text('project_settings.template')}
          hint={text('project_settings.template.hint')}
          checked={is_template}
          onChange={({ target }) => setTemplate(target.checked)}
        />
        <FormProblem>{isElsewhere && refusalText(failure)}</FormProblem>
        <div className={styles['buttons']}>
          <Button kind="primary" type="submit" isBusy={isBusy}>
            {text('artifact.save')}
          </Button>
        </div>
      </form>
    </Panel>
  )
}
