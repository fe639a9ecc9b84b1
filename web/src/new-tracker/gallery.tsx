import { useQuery } from '@tanstack/react-query'
import { Refusal } from '@waypost/sdk/answer'
import type { TrackerTemplate } from '@waypost/sdk/api'
import { Check } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { Button } from '../design/button.tsx'
import { Icon } from '../design/icon.tsx'
import { TrackerMark } from '../design/marks.tsx'
import { Loading } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import { type ProjectPlace, useCreateTrackers } from './create-trackers.ts'
import styles from './gallery.module.css'
import { isText, text } from './messages.ts'
import { freeNames, namesOf, takenNamesQuery, templatesQuery, type TrackerNames } from './new-tracker-queries.ts'
import { Sketch } from './sketch.tsx'

/** As the server limits it. */
const MAX_LABEL = 255

/** The templates as cards, of which several can be chosen. `children` stands beside the button. */
export function Gallery({ project, children }: { readonly project: ProjectPlace; readonly children?: ReactNode }) {
  const templates = useQuery(templatesQuery)
  const taken = useQuery(takenNamesQuery(project.id))
  const [chosen, setChosen] = useState<readonly string[]>([])
  /** Names that differ from the offered ones, by template. */
  const [labels, setLabels] = useState<Readonly<Record<string, string>>>({})
  const reason = useId()
  const { create, failure, isBusy } = useCreateTrackers(project)
  const error = templates.error ?? taken.error
  if (error)
    return <RefusalNotice error={error} onRetry={() => void Promise.all([templates.refetch(), taken.refetch()])} />
  if (!templates.data || !taken.data) return <Loading />
  const named = templates.data.map((template) => ({
    template,
    names: freeNames(namesOf(template.definition), taken.data),
  }))
  const isChosen = ({ name }: TrackerTemplate) => chosen.includes(name)
  const labelFor = (name: string, names: TrackerNames) => labels[name]?.trim() || names.label
  const submit = async () => {
    await create(
      named
        .filter(({ template }) => isChosen(template))
        .map(({ template: { name }, names }) => ({ template: name, ...names, label: labelFor(name, names) })),
    )
    setChosen([])
  }
  return (
    <form
      className={styles['form']}
      onSubmit={(event) => {
        event.preventDefault()
        if (chosen.length > 0 && !isBusy) void submit()
      }}
    >
      <fieldset className={styles['group']}>
        <legend>
          {text('new_tracker.templates')}{' '}
          {chosen.length > 0 && <span>{text('new_tracker.chosen', { count: chosen.length })}</span>}
        </legend>
        <div className={styles['cards']}>
          {named.map(({ template, names }) => (
            <Card
              key={template.name}
              template={template}
              names={names}
              isChosen={isChosen(template)}
              label={labels[template.name] ?? names.label}
              onLabel={(label) => setLabels({ ...labels, [template.name]: label })}
              onChange={(isOn) =>
                setChosen(isOn ? [...chosen, template.name] : chosen.filter((name) => name !== template.name))
              }
            />
          ))}
        </div>
      </fieldset>
      {failure && <RefusalNotice error={new Refusal(failure)} />}
      <div className={styles['actions']}>
        {children}
        <span id={reason} className={styles['reason']}>
          {chosen.length === 0 && text('new_tracker.choose')}
        </span>
        <Button kind="primary" type="submit" isBusy={isBusy} isDisabled={chosen.length === 0} aria-describedby={reason}>
          {text('new_tracker.create', { count: Math.max(1, chosen.length) })}
        </Button>
      </div>
    </form>
  )
}

interface CardProps {
  readonly template: TrackerTemplate
  readonly names: TrackerNames
  readonly isChosen: boolean
  readonly label: string
  readonly onLabel: (label: string) => void
  readonly onChange: (isChosen: boolean) => void
}

function Card({ template: { name, definition }, names, isChosen, label: given, onLabel, onChange }: CardProps) {
  const id = useId()
  const key = `template.${name}`
  const lead = `template.${name}.lead`
  const { label = '', description = '', color_name: color } = definition
  return (
    <div className={styles['card']} data-chosen={isChosen}>
      <input
        type="checkbox"
        checked={isChosen}
        aria-labelledby={`${id}-name`}
        aria-describedby={`${id}-lead`}
        onChange={({ target }) => onChange(target.checked)}
      />
      <div className={styles['picture']} aria-hidden>
        <Sketch name={name} definition={definition} />
      </div>
      <span className={styles['tick']} aria-hidden>
        {isChosen && <Icon of={Check} size={12} />}
      </span>
      <div className={styles['words']}>
        <p className={styles['name']}>
          <TrackerMark label={label} color={color} />
          <span id={`${id}-name`}>{isText(key) ? text(key) : label}</span>
        </p>
        <p className={styles['lead']} id={`${id}-lead`}>
          {isText(lead) ? text(lead) : description}
          {names.label !== label && !isChosen && <em>{text('new_tracker.already')}</em>}
        </p>
        {isChosen && (
          <label className={styles['given']}>
            {text('new_tracker.label')}
            <input type="text" value={given} maxLength={MAX_LABEL} onChange={({ target }) => onLabel(target.value)} />
          </label>
        )}
      </div>
    </div>
  )
}
