import { useQuery } from '@tanstack/react-query'
import type { TrackerField } from '@waypost/sdk/api'
import { CornerLeftUp } from 'lucide-react'
import { useState } from 'react'
import { useSession } from '../accounts/session.ts'
import { Icon } from '../design/icon.tsx'
import { Avatar } from '../design/marks.tsx'
import { RelativeTime } from '../design/relative-time.tsx'
import { type RowAction, RowMenu } from '../design/row-menu.tsx'
import { mayUpdate } from '../field-types/drafts.ts'
import type { ArtifactRelation } from '../field-types/field-type.ts'
import { fieldType } from '../field-types/field-types.ts'
import { isParentLink } from '../field-types/parts/linked-artifacts.tsx'
import { lazyPart } from '../design/lazy-part.tsx'
import styles from './artifact-head.module.css'
import { useAddSubItem } from './add-sub-item.tsx'
import { ArtifactLink } from './artifact-link.tsx'
import type { OpenArtifact } from './artifact-queries.ts'
import { useDeleteArtifact } from './delete-artifact.ts'
import { namedArtifactsQuery } from './link-queries.ts'
import { NextStep } from './next-step.tsx'
import { text } from './messages.ts'
import { text as pastText } from './past/messages.ts'
import { useOpenPast } from './past/use-open-past.ts'
import type { Editing } from './use-editing.ts'

interface ActionsProps {
  readonly open: OpenArtifact
  /** The field of the title; undefined: the tracker has none. */
  readonly title: TrackerField | undefined
  readonly editing: Editing
}

interface MovingProps {
  readonly open: OpenArtifact
  readonly onClose: () => void
}

const close = ({ onClose }: MovingProps) => onClose()
const CopyDialog = lazyPart<MovingProps>(async () => (await import('./moving/copy-artifact.tsx')).CopyArtifact, {
  close,
})
const MoveDialog = lazyPart<MovingProps>(async () => (await import('./moving/move-artifact.tsx')).MoveArtifact, {
  close,
})

/** The next step of the artifact, and all other actions on it as a whole in a menu. */
export function ArtifactActions({ open, title, editing }: ActionsProps) {
  const { data: session } = useSession()
  const [dialog, setDialog] = useState<'copy' | 'move'>()
  const subItem = useAddSubItem(open)
  const openPast = useOpenPast(open.artifact.id)
  const remove = useDeleteArtifact(open)
  const isAdministrator = open.tracker.permissions_for_groups !== null
  const Shown = dialog === 'copy' ? CopyDialog : MoveDialog
  const actions: readonly RowAction[] = [
    ...(title && mayUpdate(title) ? [{ label: text('artifact.rename'), onPress: () => editing.begin(title) }] : []),
    ...(session ? [{ label: text('artifact.add_sub_item'), onPress: subItem.begin }] : []),
    ...(openPast ? [{ label: pastText('past.open'), onPress: openPast }] : []),
    ...(session ? [{ label: text('moving.copy_open'), onPress: () => setDialog('copy') }] : []),
    ...(isAdministrator ? [{ label: text('moving.move_open'), onPress: () => setDialog('move') }] : []),
    ...(remove ? [{ label: text('delete'), onPress: remove, isDanger: true }] : []),
  ]
  return (
    <div className={styles['actions']}>
      {/* Beside unsaved changes, saving them is the next step. */}
      {editing.drafts.length === 0 && <NextStep open={open} onPick={editing.pick} />}
      {actions.length > 0 && (
        <span data-menu>
          <RowMenu label={text('artifact.more')} actions={actions} />
        </span>
      )}
      {subItem.dialog}
      {dialog && <Shown open={open} onClose={() => setDialog(undefined)} />}
    </div>
  )
}

/** The artifacts of which this one is a part. */
export function parentLinks({ artifact }: OpenArtifact): readonly ArtifactRelation[] {
  return (artifact.values ?? []).flatMap((value) => fieldType(value).links?.(value) ?? []).filter(isParentLink)
}

export function ParentLine({ parents }: { readonly parents: readonly Pick<ArtifactRelation, 'id' | 'tracker'>[] }) {
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
  const { id, real_name, display_name, avatar_url } = artifact.submitted_by_user
  const name = real_name ?? display_name
  return (
    <span className={styles['submitter']}>
      <Avatar person={{ id, name, avatar_url }} size={20} />
      <b>{name}</b> {text('timeline.created')} <RelativeTime at={artifact.submitted_on} />
    </span>
  )
}
