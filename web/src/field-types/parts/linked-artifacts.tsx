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

/** Of each link type. The number does not depend on titles, which come later: the page below must not move then. */
const MAX_SHOWN = 5

/** Linked artifacts, grouped by link type: children with their progress first. */
export function LinkedArtifacts({ links, field }: Props) {
  const [isWhole, setWhole] = useState(false)
  const { data: named, isPending } = useQuery(namedArtifactsQuery(links.map(({ id }) => id)))
  const childrenFirst = links.toSorted((one, other) => Number(isFamilyLink(other)) - Number(isFamilyLink(one)))
  const kinds = Map.groupBy(childrenFirst, (link) => kindText(link, field))
  const isClosed = ({ id }: ArtifactRelation) => named?.get(id)?.is_open === false
  return [...kinds].map(([kind, each]) => {
    const isShort = each.length <= MAX_SHOWN
    const openFirst = isShort ? each : each.toSorted((one, other) => Number(isClosed(one)) - Number(isClosed(other)))
    const shown = isWhole ? openFirst : openFirst.slice(0, MAX_SHOWN)
    return (
      <div key={kind} className={styles['kind']}>
        <div className={styles['head']}>
          <h3>{kind}</h3>
          {each.every(isFamilyLink) && <Progress of={each.flatMap(({ id }) => named?.get(id) ?? [])} />}
        </div>
        <ul>
          {shown.map(({ id, tracker }) => (
            <ArtifactRow key={id} id={id} name={`${tracker} #${id}`} artifact={named?.get(id)} isLoading={isPending} />
          ))}
        </ul>
        {shown.length < each.length && (
          <Button kind="quiet" onPress={() => setWhole(true)}>
            {text('links.show_more', { count: each.length - shown.length })}
          </Button>
        )}
      </div>
    )
  })
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
