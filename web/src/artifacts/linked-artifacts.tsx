import { useQuery } from '@tanstack/react-query'
import type { TrackerField, Value } from '@waypost/sdk/api'
import { Swatch } from '../design/swatch.tsx'
import { text } from './words.ts'
import { ArtifactLink } from './artifact-link.tsx'
import styles from './linked-artifacts.module.css'
import { namedArtifactsQuery } from './link-queries.ts'
import { type Linked, readValue } from './read-value.ts'
import { linkTypeText } from './show-value.tsx'

interface Props {
  readonly value: Value | undefined
  readonly field: TrackerField
  /** Parent and children alone. */
  readonly isHierarchy?: boolean
}

/** What an artifact is linked with, by the kind of link. */
export function LinkedArtifacts({ value, field, isHierarchy = false }: Props) {
  const shown = readValue(value)
  const links = shown.kind === 'links' ? shown.links.filter((link) => !isHierarchy || link.type === '_is_child') : []
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

function kindText(link: Linked, field: TrackerField): string {
  const kind = linkTypeText(link, field)
  if (kind !== '') return kind
  return text(link.direction === 'forward' ? 'links.to' : 'links.from')
}

function isParent({ type, direction }: Linked): boolean {
  return type === '_is_child' && direction === 'reverse'
}
