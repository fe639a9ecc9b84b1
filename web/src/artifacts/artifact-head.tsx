import { useQuery } from '@tanstack/react-query'
import type { TrackerField } from '@waypost/sdk/api'
import { CornerLeftUp, Pencil } from 'lucide-react'
import { Button } from '../design/button.tsx'
import { Icon } from '../design/icon.tsx'
import { Avatar } from '../design/marks.tsx'
import { RelativeTime } from '../design/relative-time.tsx'
import { mayUpdate } from '../field-types/drafts.ts'
import type { ArtifactRelation } from '../field-types/field-type.ts'
import { fieldType } from '../field-types/field-types.ts'
import { isParentLink } from '../field-types/parts/linked-artifacts.tsx'
import styles from './artifact-head.module.css'
import { ArtifactLink } from './artifact-link.tsx'
import type { OpenArtifact } from './artifact-queries.ts'
import { DeleteArtifact } from './delete-artifact.tsx'
import { namedArtifactsQuery } from './link-queries.ts'
import { text } from './messages.ts'
import type { Editing } from './use-editing.ts'

interface ActionsProps {
  readonly open: OpenArtifact
  /** The field of the title; undefined: the tracker has none. */
  readonly title: TrackerField | undefined
  readonly editing: Editing
}

/** The actions on the artifact as a whole. */
export function ArtifactActions({ open, title, editing }: ActionsProps) {
  return (
    <div className={styles['actions']}>
      {title && mayUpdate(title) && !editing.draftFor(title.field_id) && (
        <Button kind="icon" aria-label={text('artifact.rename')} onPress={() => editing.begin(title)}>
          <Icon of={Pencil} />
        </Button>
      )}
      <DeleteArtifact open={open} />
    </div>
  )
}

/** The artifacts of which this one is a part. */
export function parentLinks({ artifact }: OpenArtifact): readonly ArtifactRelation[] {
  return (artifact.values ?? []).flatMap((value) => fieldType(value).links?.(value) ?? []).filter(isParentLink)
}

export function ParentLine({ parents }: { readonly parents: readonly ArtifactRelation[] }) {
  const { data: named } = useQuery(namedArtifactsQuery(parents.map(({ id }) => id)))
  return parents.map(({ id, tracker }) => {
    const { xref, title } = named?.get(id) ?? { xref: `${tracker} #${id}`, title: '' }
    return (
      <span key={id} className={styles['parent']}>
        <Icon of={CornerLeftUp} size={14} />
        {text('artifact.part_of')}{' '}
        <ArtifactLink id={id} dir="auto">
          {xref} {title}
        </ArtifactLink>
      </span>
    )
  })
}

export function SubmitterLine({ open: { artifact } }: { readonly open: OpenArtifact }) {
  const { id, real_name, display_name } = artifact.submitted_by_user
  const name = real_name ?? display_name
  return (
    <span className={styles['submitter']}>
      <Avatar person={{ id, name }} size={20} />
      <b>{name}</b> {text('timeline.created')} <RelativeTime at={artifact.submitted_on} />
    </span>
  )
}
