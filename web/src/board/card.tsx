import type { Artifact, TrackerField } from '@waypost/sdk/api'
import { memo } from 'react'
import { valueOf } from '../artifacts/artifact-queries.ts'
import { ArtifactLink } from '../artifacts/artifact-link.tsx'
import { readValue } from '../artifacts/read-value.ts'
import { ShowValue } from '../artifacts/show-value.tsx'
import { Hidden } from '../design/page.tsx'
import { text } from './words.ts'
import styles from './card.module.css'

/** A number or a date alone says nothing. */
const BARE = ['int', 'float', 'computed', 'date']

interface Props {
  artifact: Artifact
  fields: readonly TrackerField[]
  /** The one that the keyboard comes to. */
  isActive: boolean
  isHeld: boolean
  mayMove: boolean
  /** Says what the keys do. */
  helpId: string
}

/** It has no handler of its own: the board listens for all of them. */
export const Card = memo(function Card({ artifact, fields, isActive, isHeld, mayMove, helpId }: Props) {
  const { id, xref, title } = artifact
  const tabIndex = isActive ? 0 : -1
  return (
    <li className={styles['card']} data-card={id} data-held={isHeld}>
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
  const filled = fields.flatMap((field) => {
    const value = valueOf(artifact, field.field_id)
    return value && readValue(value).kind !== 'empty' ? [{ field, value }] : []
  })
  if (filled.length === 0) return null
  return (
    <ul className={styles['facts']}>
      {filled.map(({ field, value }) => (
        <li key={field.field_id} title={field.label}>
          {BARE.includes(field.type) ? (
            `${field.label} `
          ) : (
            <Hidden>{text('board.fact', { field: field.label })}</Hidden>
          )}
          <ShowValue value={value} field={field} isShort />
        </li>
      ))}
    </ul>
  )
}
