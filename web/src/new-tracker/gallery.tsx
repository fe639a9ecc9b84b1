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

/** The templates as cards, of which several can be chosen. `children` stands beside the button. */
export function Gallery({ project, children }: { readonly project: ProjectPlace; readonly children?: ReactNode }) {
  const templates = useQuery(templatesQuery)
  const taken = useQuery(takenNamesQuery(project.id))
  const [chosen, setChosen] = useState<readonly string[]>([])
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
  const submit = async () => {
    await create(
      named
        .filter(({ template }) => isChosen(template))
        .map(({ template: { name }, names }) => ({ template: name, ...names })),
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
          {text('new_tracker.templates')} <span>{text('new_tracker.chosen', { count: chosen.length })}</span>
        </legend>
        <div className={styles['cards']}>
          {named.map(({ template, names }) => (
            <Card
              key={template.name}
              template={template}
              names={names}
              isChosen={isChosen(template)}
              onChange={(isOn) =>
                setChosen(isOn ? [...chosen, template.name] : chosen.filter((name) => name !== template.name))
              }
            />
          ))}
        </div>
      </fieldset>
      {failure && <RefusalNotice error={new Refusal(failure)} />}
      <div className={styles['actions']}>
        <Button kind="primary" type="submit" isBusy={isBusy} isDisabled={chosen.length === 0}>
          {text('new_tracker.create', { count: Math.max(1, chosen.length) })}
        </Button>
        {children}
      </div>
    </form>
  )
}

interface CardProps {
  readonly template: TrackerTemplate
  readonly names: TrackerNames
  readonly isChosen: boolean
  readonly onChange: (isChosen: boolean) => void
}

function Card({ template: { name, definition }, names, isChosen, onChange }: CardProps) {
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
      {isChosen && (
        <span className={styles['tick']} aria-hidden>
          <Icon of={Check} size={14} />
        </span>
      )}
      <div className={styles['words']}>
        <p className={styles['name']}>
          <TrackerMark label={label} color={color} />
          <span id={`${id}-name`}>{isText(key) ? text(key) : label}</span>
        </p>
        <p className={styles['lead']} id={`${id}-lead`}>
          {isText(lead) ? text(lead) : description}
          {names.label !== label && <em>{text('new_tracker.named', { label: names.label })}</em>}
        </p>
      </div>
    </div>
  )
}
