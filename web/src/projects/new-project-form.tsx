import { useNavigate } from '@tanstack/react-router'
import type { Failure } from '@waypost/sdk/answer'
import type { Project } from '@waypost/sdk/api'
import { SquareDashed } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import { api } from '../api.ts'
import { Button } from '../design/button.tsx'
import { LongTextField, TextField } from '../design/field.tsx'
import { focusProblem, hasProblemAt, problemReason } from '../design/form-problems.ts'
import { ProjectMark } from '../design/marks.tsx'
import { FormProblem } from '../design/problem.tsx'
import { RadioCards } from '../design/radio-cards.tsx'
import { refusalText } from '../design/refusal.tsx'
import { queryClient } from '../query-client.ts'
import { showToast } from '../design/toasts.ts'
import { groupsOfMineQuery } from './use-may-administer.ts'
import { text } from './messages.ts'
import styles from './new-project.module.css'
import { suggestShortName } from './short-name.ts'
import { type Visibility, VisibilityChoice } from './visibility-choice.tsx'

/** The default template: services, and nothing else. */
const EMPTY_TEMPLATE = 100

interface Props {
  readonly templates: readonly Pick<Project, 'id' | 'label_without_icon' | 'description'>[]
  /** A site administrator approves the project afterwards. */
  readonly isApproved: boolean
  readonly onPending: (label: string) => void
}

export function NewProjectForm({ templates, isApproved, onPending }: Props) {
  const navigate = useNavigate()
  const form = useRef<HTMLFormElement>(null)
  const [label, setLabel] = useState('')
  const [typed, setTyped] = useState<string>()
  const [description, setDescription] = useState('')
  const [visibility, setVisibility] = useState<Visibility>('private')
  const [template, setTemplate] = useState(EMPTY_TEMPLATE)
  const [failure, setFailure] = useState<Failure>()
  const [isBusy, setBusy] = useState(false)
  const shortname = typed ?? suggestShortName(label)
  const submit = async () => {
    setBusy(true)
    const answer = await api.call('POST /projects', {
      body: { label, shortname, description, template_id: template, ...toAccess(visibility) },
    })
    setBusy(false)
    if (!answer.ok) {
      setFailure(answer)
      focusProblem(form.current, answer)
      return
    }
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: ['projects'] }),
      queryClient.invalidateQueries(groupsOfMineQuery),
    ])
    if (answer.body.status === 'pending') return onPending(answer.body.label)
    showToast(text('new_project.made', { project: answer.body.label }))
    await navigate({ to: '/projects/$shortname', params: { shortname: answer.body.shortname } })
  }
  const shortProblem = problemReason(failure, 'shortname')
  const isElsewhere = failure && !hasProblemAt(failure, ['label', 'shortname'])
  return (
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
          label={text('new_project.name')}
          name="label"
          value={label}
          maxLength={40}
          autoComplete="off"
          autoFocus
          required
          error={problemReason(failure, 'label') && text('new_project.name.error')}
          onChange={({ target }) => setLabel(target.value)}
        />
        <TextField
          label={text('new_project.short')}
          name="shortname"
          hint={text('new_project.short.hint')}
          value={shortname}
          maxLength={30}
          autoComplete="off"
          spellCheck={false}
          required
          error={
            shortProblem &&
            text(shortProblem === 'name_taken' ? 'new_project.short.taken' : 'new_project.short.invalid')
          }
          onChange={({ target }) => setTyped(target.value)}
          onBlur={() => setTyped(typed === '' ? undefined : typed)}
        />
      </div>
      <LongTextField
        label={text('new_project.description')}
        name="description"
        value={description}
        maxLength={10_000}
        onChange={({ target }) => setDescription(target.value)}
      />
      <VisibilityChoice chosen={visibility} onChoose={setVisibility} />
      <RadioCards
        label={text('new_project.start')}
        name="template"
        cards={[
          {
            value: EMPTY_TEMPLATE,
            label: text('new_project.empty'),
            hint: text('new_project.empty.hint'),
            icon: SquareDashed,
          },
          ...templates
            .filter(({ id }) => id !== EMPTY_TEMPLATE)
            .map(({ id, label_without_icon: name, description: about }) => ({
              value: id,
              label: name,
              hint: about === '' ? text('new_project.template.hint') : about,
              mark: <ProjectMark id={id} label={name} />,
            })),
        ]}
        chosen={template}
        onChoose={setTemplate}
      />
      {isApproved && <p className={styles['note']}>{text('new_project.approval')}</p>}
      <FormProblem>{isElsewhere && refusalText(failure)}</FormProblem>
      <div>
        <Button kind="primary" type="submit" isBusy={isBusy}>
          {text(isApproved ? 'new_project.request' : 'new_project.create')}
        </Button>
      </div>
    </form>
  )
}

function toAccess(visibility: Visibility): { is_public: boolean; allow_restricted: boolean } {
  return {
    is_public: !visibility.startsWith('private'),
    allow_restricted: visibility === 'private' || visibility === 'unrestricted',
  }
}
