import { useQuery } from '@tanstack/react-query'
import type { Artifact, TrackerField } from '@waypost/sdk/api'
import { useState } from 'react'
import { namedArtifactsQuery } from '../../artifacts/link-queries.ts'
import { text } from '../../artifacts/messages.ts'
import { Button } from '../../design/button.tsx'
import type { ArtifactRelation } from '../field-type.ts'
import { ArtifactRow } from './artifact-row.tsx'
import styles from './linked-artifacts.module.css'
import { ProgressBar } from '../../design/progress-bar.tsx'

interface Props {
  readonly links: readonly ArtifactRelation[]
  readonly field: TrackerField
}

/** Of longer lists, closed artifacts are hidden at first. */
const MAX_SHOWN = 3

/** Linked artifacts, grouped by link type: children with their progress first. */
export function LinkedArtifacts({ links, field }: Props) {
  const [isWhole, setWhole] = useState(links.length <= MAX_SHOWN)
  const { data: named } = useQuery(namedArtifactsQuery(links.map(({ id }) => id)))
  const childrenFirst = links.toSorted((one, other) => Number(isFamilyLink(other)) - Number(isFamilyLink(one)))
  const kinds = Map.groupBy(childrenFirst, (link) => kindText(link, field))
  const isHidden = ({ id }: ArtifactRelation) => !isWhole && named?.get(id)?.is_open === false
  return [...kinds].map(([kind, each]) => (
    <div key={kind} className={styles['kind']}>
      <div className={styles['head']}>
        <h3>{kind}</h3>
        {each.every(isFamilyLink) && <Progress of={each.flatMap(({ id }) => named?.get(id) ?? [])} />}
        {each.some(isHidden) && (
          <Button kind="quiet" onPress={() => setWhole(true)}>
            {text('links.show_closed', { count: each.filter(isHidden).length })}
          </Button>
        )}
      </div>
      <ul>
        {each
          .filter((link) => !isHidden(link))
          .map(({ id, tracker }) => (
            <ArtifactRow key={id} id={id} name={`${tracker} #${id}`} artifact={named?.get(id)} />
          ))}
      </ul>
    </div>
  ))
}

/** How many of the children are closed. */
function Progress({ of: children }: { readonly of: readonly Artifact[] }) {
  if (children.length === 0) return null
  const done = children.filter((child) => !child.is_open).length
  const spoken = text('links.done_of', { done, count: children.length })
  return (
    <>
      <span>{spoken}</span>
      <ProgressBar value={done} max={children.length} label={spoken} />
    </>
  )
}

function kindText(link: ArtifactRelation, field: TrackerField): string {
  if (isChildLink(link)) return text('links.children')
  const kind = linkTypeText(link, field)
  if (kind !== '') return kind
  return text(link.direction === 'forward' ? 'links.to' : 'links.from')
}

/** The label of the link type in this direction. */
export function linkTypeText(
  { type, direction }: Pick<ArtifactRelation, 'type' | 'direction'>,
  field?: TrackerField,
): string {
  const known = field?.allowed_types?.find(({ shortname }) => shortname === type)
  if (type === '' || !known) return type
  return direction === 'forward' ? known.forward_label : known.reverse_label
}

export function isParentLink({ type, direction }: Pick<ArtifactRelation, 'type' | 'direction'>): boolean {
  return isFamilyLink({ type }) && direction === 'reverse'
}

export function isChildLink({ type, direction }: Pick<ArtifactRelation, 'type' | 'direction'>): boolean {
  return isFamilyLink({ type }) && direction === 'forward'
}

/** Between a parent and a child. */
function isFamilyLink({ type }: Pick<ArtifactRelation, 'type'>): boolean {
  return type === '_is_child'
}
