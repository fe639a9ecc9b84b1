import type { Artifact, TrackerField } from '@waypost/sdk/api'
import { memo } from 'react'
import { fieldValue } from '../artifacts/artifact-queries.ts'
import { ArtifactLink } from '../artifacts/artifact-link.tsx'
import { Avatar, type AvatarPerson } from '../design/marks.tsx'
import { Hidden } from '../design/page.tsx'
import { Unassigned, useAssigneeField } from '../field-types/assignee.tsx'
import { OpenProvider } from '../field-types/due.tsx'
import { fieldType, isEmptyValue } from '../field-types/field-types.ts'
import { ShowValue } from '../field-types/field-views.tsx'
import { text } from './messages.ts'
import styles from './card.module.css'

interface Props {
  artifact: Artifact
  fields: readonly TrackerField[]
  /** The card in the tab order (roving tabindex). */
  isActive: boolean
  isHeld: boolean
  /** The panel beside the board shows it. */
  isPeeked: boolean
  mayMove: boolean
  /** The id of the description of the keys. */
  helpId: string
}

/** Has no event handlers: the board delegates events. */
export const Card = memo(function Card({ artifact, fields, isActive, isHeld, isPeeked, mayMove, helpId }: Props) {
  const { id, xref, title } = artifact
  const tabIndex = isActive ? 0 : -1
  return (
    <li className={styles['card']} data-card={id} data-held={isHeld} data-peeked={isPeeked}>
      <span className={styles['top']}>
        <span>{xref}</span>
        {mayMove && (
          <button type="button" tabIndex={tabIndex} data-move aria-label={text('board.move_what', { name: xref })}>
            <span aria-hidden>⋯</span>
          </button>
        )}
      </span>
      <ArtifactLink
        id={id}
        tabIndex={tabIndex}
        className={styles['title']}
        draggable={false}
        aria-describedby={mayMove ? helpId : undefined}
      >
        {title === null || title === '' ? xref : title}
      </ArtifactLink>
      <Facts artifact={artifact} fields={fields} />
    </li>
  )
})

function Facts({ artifact, fields }: { artifact: Artifact; fields: readonly TrackerField[] }) {
  const assignee = useAssigneeField()
  const filled = fields.flatMap((field) => {
    const value = fieldValue(artifact, field.field_id)
    return value && !isEmptyValue(value) ? [{ field, value }] : []
  })
  const isUnassigned =
    fields.some(({ field_id: id }) => id === assignee) && !filled.some(({ field }) => field.field_id === assignee)
  if (filled.length === 0 && !isUnassigned) return null
  return (
    <OpenProvider isOpen={artifact.is_open}>
      <ul className={styles['facts']}>
        {filled.map(({ field, value }) => {
          const people = fieldType(field).people?.(value) ?? []
          return (
            <li key={field.field_id} title={field.label} data-people={people.length > 0}>
              {fieldType(field).card?.needsLabel ? (
                `${field.label} `
              ) : (
                <Hidden>{text('board.fact', { field: field.label })}</Hidden>
              )}
              {people.length > 0 ? <Marks people={people} /> : <ShowValue value={value} field={field} isShort />}
            </li>
          )
        })}
        {isUnassigned && assignee !== undefined && (
          <li data-people>
            <Unassigned fieldId={assignee} />
          </li>
        )}
      </ul>
    </OpenProvider>
  )
}

/** People without their names, which are tooltips. */
function Marks({ people }: { people: readonly AvatarPerson[] }) {
  return people.map((person, at) => (
    <span key={person.id} className={styles['mark']} title={person.name}>
      <Avatar person={person} size={20} />
      <Hidden>{at < people.length - 1 ? `${person.name}, ` : person.name}</Hidden>
    </span>
  ))
}
