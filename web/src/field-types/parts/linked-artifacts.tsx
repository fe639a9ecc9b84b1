import { useQuery } from '@tanstack/react-query'
import type { TrackerField } from '@waypost/sdk/api'
import { ArtifactLink } from '../../artifacts/artifact-link.tsx'
import { namedArtifactsQuery } from '../../artifacts/link-queries.ts'
import { text } from '../../artifacts/messages.ts'
import { Swatch } from '../../design/swatch.tsx'
import type { ArtifactRelation } from '../field-type.ts'
import styles from './linked-artifacts.module.css'

interface Props {
  readonly links: readonly ArtifactRelation[]
  readonly field: TrackerField
}

/** Linked artifacts, grouped by link type. */
export function LinkedArtifacts({ links, field }: Props) {
  const { data: named } = useQuery(namedArtifactsQuery(links.map(({ id }) => id)))
  const parentsFirst = links.toSorted((one, other) => Number(isParent(other)) - Number(isParent(one)))
  const kinds = Map.groupBy(parentsFirst, (link) => kindText(link, field))
  return [...kinds].map(([kind, each]) => (
    <div key={kind} className={styles['kind']}>
      <h3>{kind}</h3>
      <ul>
        {each.map(({ id, color, tracker }) => {
          const artifact = named?.get(id)
          return (
            <li key={id} className={styles['link']}>
              <Swatch color={color} />
              <ArtifactLink id={id} className={artifact?.is_open === false ? styles['closed'] : undefined}>
                {artifact?.title ?? `${tracker} #${id}`}
              </ArtifactLink>
              <small>
                {artifact?.xref ?? `#${id}`}
                {artifact?.full_status && <span> · {artifact.full_status.value}</span>}
              </small>
            </li>
          )
        })}
      </ul>
    </div>
  ))
}

function kindText(link: ArtifactRelation, field: TrackerField): string {
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

function isParent({ type, direction }: ArtifactRelation): boolean {
  return isFamilyLink({ type }) && direction === 'reverse'
}

/** Between a parent and a child. */
export function isFamilyLink({ type }: Pick<ArtifactRelation, 'type'>): boolean {
  return type === '_is_child'
}
