import type { TrackerField } from '@waypost/sdk/api'
import { Pencil } from 'lucide-react'
import { type ComponentProps, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useSession } from '../accounts/session.ts'
import { ParentLine, parentLinks } from '../artifacts/artifact-head.tsx'
import { type OpenArtifact, fieldValue } from '../artifacts/artifact-queries.ts'
import { COMMENT_FIELD } from '../artifacts/comment-box.tsx'
import { Conflict } from '../artifacts/conflict.tsx'
import { FieldRow } from '../artifacts/field-row.tsx'
import { findKeyField, isPickable, PICKER_KEYS, type PickerKey } from '../artifacts/key-fields.ts'
import { SaveBar } from '../artifacts/save-bar.tsx'
import { useEditing } from '../artifacts/use-editing.ts'
import { usePickedField } from '../artifacts/use-picked-field.ts'
import { ValuePicker } from '../artifacts/value-picker.tsx'
import { toggleWatch } from '../notifications/watching.ts'
import { Button } from '../design/button.tsx'
import { Icon } from '../design/icon.tsx'
import { mayUpdate } from '../field-types/drafts.ts'
import { fieldType } from '../field-types/field-types.ts'
import { isChildLink, LinkedArtifacts } from '../field-types/parts/linked-artifacts.tsx'
import { showToast } from '../design/toasts.ts'
import { useShortcuts } from '../shell/use-shortcuts.ts'
import { layOutPeek } from './key-facts.ts'
import { text } from './messages.ts'
import { PeekActivity } from './peek-activity.tsx'
import { PeekComment } from './peek-comment.tsx'
import styles from './peek-panel.module.css'

/** An artifact in the panel, with the unsaved changes that its page has too. */
export function PeekedArtifact({ open, draftName }: { readonly open: OpenArtifact; readonly draftName: string }) {
  const { artifact, tracker } = open
  const { id, title, xref } = artifact
  const { data: session } = useSession()
  const editing = useEditing(open, draftName)
  const place = useRef<HTMLDivElement>(null)
  const { picked, anchor, open: openPicker, close } = usePickedField(place)
  const [isWriting, setWriting] = useState(editing.comment !== '')
  const isEdited = ({ field_id }: TrackerField) => editing.draftFor(field_id) !== undefined
  const layout = layOutPeek(open, isEdited)
  const parents = parentLinks(open)
  const pick = (field: TrackerField) => (editing.drafts.length > 0 ? editing.begin(field) : openPicker(field))
  const pickByKey = (key: PickerKey) => {
    const field = findKeyField(tracker, key)
    if (!field) showToast(text(`pick.no_${key}`))
    else if (isPickable(field)) pick(field)
    else showToast(text('pick.read_only', { field: field.label }))
  }
  const comment = () => {
    flushSync(() => setWriting(true))
    place.current?.parentElement?.querySelector<HTMLElement>(`[data-name="${COMMENT_FIELD}"]`)?.focus()
  }
  const quote = (quoted: string) => {
    editing.say(`${editing.comment}${editing.comment === '' ? '' : '\n\n'}${quoted}`)
    comment()
  }
  useShortcuts({
    m: comment,
    ...Object.fromEntries(PICKER_KEYS.map((key) => [key, () => pickByKey(key)])),
    ...(session && { w: () => void toggleWatch({ kind: 'artifact', id }) }),
  })
  const row = (field: TrackerField, look: ComponentProps<typeof FieldRow>['look']) => (
    <FieldRow key={field.field_id} open={open} field={field} editing={editing} look={look} onPick={pick} />
  )
  const children = tracker.fields.flatMap((field) => {
    const value = fieldValue(artifact, field.field_id)
    const links = (value && fieldType(field).links?.(value)?.filter(isChildLink)) ?? []
    return links.length > 0 ? [{ field, links }] : []
  })
  return (
    <>
      <div ref={place} className={styles['body']}>
        {parents.length > 0 && (
          <p>
            <ParentLine parents={parents} />
          </p>
        )}
        {layout.title && isEdited(layout.title) ? (
          row(layout.title, 'section')
        ) : (
          <div className={styles['titleLine']}>
            <h2 className={styles['title']} dir="auto">
              {title || xref}
            </h2>
            {layout.title && mayUpdate(layout.title) && (
              <Button
                kind="icon"
                aria-label={text('artifact.rename')}
                onPress={() => layout.title && editing.begin(layout.title)}
              >
                <Icon of={Pencil} size={14} />
              </Button>
            )}
          </div>
        )}
        <div className={styles['facts']} role="group" aria-label={text('peek.facts')}>
          {layout.facts.map((field) => row(field, 'property'))}
        </div>
        {layout.description && <div className={styles['text']}>{row(layout.description, 'prose')}</div>}
        {children.map(({ field, links }) => (
          <div key={field.field_id} className={styles['children']}>
            <LinkedArtifacts links={links} field={field} />
          </div>
        ))}
        <PeekActivity id={id} tracker={tracker} onQuote={quote} />
        <SaveBar editing={editing} onComment={comment} />
      </div>
      <PeekComment
        open={open}
        editing={editing}
        isWriting={isWriting}
        onWrite={comment}
        onLeave={() => setWriting(false)}
      />
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
    </>
  )
}
