import { useQuery } from '@tanstack/react-query'
import { namedArtifactsQuery } from '../../artifacts/link-queries.ts'
import type { PageViewProps } from '../field-type.ts'
import type { ReferenceValue } from '../values.ts'
import { ArtifactRow } from './artifact-row.tsx'
import { Nothing } from './nothing.tsx'
import { artifactOfReference, isSameReference } from './reference-target.ts'
import styles from './values.module.css'

/** References from and to texts: artifacts as rows, others as links. */
export function References({ value }: PageViewProps<ReferenceValue>) {
  const references = value?.value ?? []
  const ids = references.flatMap(({ url }) => artifactOfReference(url)?.id ?? [])
  const { data: named } = useQuery(namedArtifactsQuery(ids))
  if (references.length === 0) return <Nothing />
  return (
    <ul className={styles['list']}>
      {references.map(({ ref, url }) => {
        const target = artifactOfReference(url)
        const artifact = target && named?.get(target.id)
        if (target && artifact && isSameReference(target, artifact.xref))
          return <ArtifactRow key={`${ref} ${url}`} id={target.id} name={ref} artifact={artifact} />
        return (
          <li key={`${ref} ${url}`}>
            <a href={url}>{ref}</a>
          </li>
        )
      })}
    </ul>
  )
}
