import type { TrackerField } from '@waypost/sdk/api'
import { type ComponentProps, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useSession } from '../accounts/session.ts'
import { ApiCalls } from '../design/api-snippets.tsx'
import { PageLayout } from '../design/page.tsx'
import { opensEditor } from '../field-types/drafts.ts'
import { fieldType } from '../field-types/field-types.ts'
import { StarButton } from '../personal-lists/star.tsx'
import { useSeen } from '../personal-lists/use-seen.ts'
import { showToast } from '../design/toasts.ts'
import { useIsNarrow } from '../shell/use-is-narrow.ts'
import { useShortcuts } from '../shell/use-shortcuts.ts'
import { artifactCalls } from './artifact-calls.ts'
import { ArtifactActions, ParentLine, parentLinks, SubmitterLine } from './artifact-head.tsx'
import { layOutArtifact } from './artifact-layout.ts'
import { ArtifactProperties } from './artifact-properties.tsx'
import type { OpenArtifact } from './artifact-queries.ts'
import { Breadcrumb } from './breadcrumb.tsx'
import { COMMENT_FIELD, CommentBox } from './comment-box.tsx'
import { Conflict } from './conflict.tsx'
import { FieldRow } from './field-row.tsx'
import { findKeyField, isPickable, PICKER_KEYS, type PickerKey } from './key-fields.ts'
import { text } from './messages.ts'
import { PageUploads } from './page-uploads.tsx'
import { SaveBar } from './save-bar.tsx'
import styles from './shown-artifact.module.css'
import { Timeline } from './timeline/timeline.tsx'
import { useEditing } from './use-editing.ts'
import { useLiveArtifact } from './use-live-artifact.ts'
import { usePickedField } from './use-picked-field.ts'
import { ValuePicker } from './value-picker.tsx'
import { toggleWatch } from '../notifications/watching.ts'

/** An artifact with the unsaved changes of the viewer. */
export function ShownArtifact({ open, draftName }: { open: OpenArtifact; draftName: string }) {
  const { artifact, tracker } = open
  const { id, title, xref } = artifact
  const { data: session } = useSession()
  const editing = useEditing(open, draftName)
  useLiveArtifact(id, tracker.id)
  useSeen('artifact', id)
  const place = useRef<HTMLDivElement>(null)
  const { picked, anchor, open: openPicker, close } = usePickedField(place)
  const [isExpanded, setExpanded] = useState(false)
  const isNarrow = useIsNarrow()
  const isEdited = ({ field_id }: TrackerField) => editing.draftFor(field_id) !== undefined
  const layout = layOutArtifact(open, isEdited)
  const parents = parentLinks(open)
  const pick = (field: TrackerField) => {
    if (editing.drafts.length > 0) return editing.begin(field)
    // The picker opens beside the property, which has to be there; on a phone it is a sheet.
    if (!isNarrow) flushSync(() => setExpanded(true))
    openPicker(field)
  }
  const comment = () => {
    const box = place.current?.querySelector<HTMLElement>(`[data-name="${COMMENT_FIELD}"]`)
    box?.focus({ preventScroll: true })
    box?.closest('form')?.scrollIntoView({ block: 'nearest' })
  }
  const quote = (quoted: string) => {
    editing.say(`${editing.comment}${editing.comment === '' ? '' : '\n\n'}${quoted}`)
    comment()
  }
  const pickByKey = (key: PickerKey) => {
    const field = findKeyField(tracker, key)
    if (!field) showToast(text(`pick.no_${key}`))
    else if (isPickable(field)) pick(field)
    else showToast(text('pick.read_only', { field: field.label }))
  }
  useShortcuts({
    m: comment,
    e: () => {
      const first = tracker.fields.find(opensEditor)
      if (first) editing.begin(first)
    },
    ...Object.fromEntries(PICKER_KEYS.map((key) => [key, () => pickByKey(key)])),
    ...(session && { w: () => void toggleWatch({ kind: 'artifact', id }) }),
  })
  const row = (field: TrackerField, look: ComponentProps<typeof FieldRow>['look']) => (
    <FieldRow key={field.field_id} open={open} field={field} editing={editing} look={look} onPick={pick} />
  )
  return (
    <div ref={place}>
      <PageLayout
        title={title ?? xref}
        above={<Breadcrumb tracker={tracker} />}
        here={<b>{xref}</b>}
        star={<StarButton kind="artifact" id={id} />}
        actions={<ArtifactActions open={open} title={layout.title} editing={editing} />}
        date={parents.length > 0 ? <ParentLine parents={parents} /> : undefined}
        lead={<SubmitterLine open={open} />}
        aside={
          <ArtifactProperties
            open={open}
            groups={layout.groups}
            unset={layout.unset}
            onAdd={(field) => (isPickable(field) ? pick(field) : editing.begin(field))}
            isExpanded={isExpanded || layout.groups.some(({ fields }) => fields.some(isEdited))}
            onExpand={setExpanded}
          >
            {(field) => row(field, 'property')}
          </ArtifactProperties>
        }
      >
        {layout.title && isEdited(layout.title) && row(layout.title, 'section')}
        {layout.description && row(layout.description, 'prose')}
        {layout.wide
          .filter((field) => !fieldType(field).isFolded)
          .map((field) => {
            const note = fieldType(field).showStatic?.(field)
            if (!note) return row(field, 'section')
            return (
              <div key={field.field_id} className={styles['note']}>
                {note}
              </div>
            )
          })}
        <div className={styles['further']}>
          {layout.wide.filter((field) => fieldType(field).isFolded).map((field) => row(field, 'section'))}
        </div>
        <Timeline id={id} tracker={tracker} onQuote={quote} />
        <PageUploads open={open} />
        <div className={styles['dock']}>
          <SaveBar editing={editing} onComment={comment} />
          <CommentBox open={open} editing={editing} />
        </div>
        <ApiCalls calls={artifactCalls(id, editing.drafts)} />
      </PageLayout>
      {picked && (
        <ValuePicker
          key={picked.field_id}
          open={open}
          field={picked}
          anchor={anchor}
          onPick={editing.pick}
          onClose={close}
        />
      )}
      {editing.clash && <Conflict editing={editing} clash={editing.clash} />}
    </div>
  )
}
