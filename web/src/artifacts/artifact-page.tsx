import { usePrefetchInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useRef } from 'react'
import { useSession } from '../accounts/session.ts'
import { failureOf } from '../api.ts'
import { Button } from '../design/button.tsx'
import { ApiCalls, type SnippetCall } from '../design/api-snippets.tsx'
import { Loading, PageLayout, Panel } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import { StarButton } from '../personal-lists/star.tsx'
import { useSeen } from '../personal-lists/use-seen.ts'
import { showToast } from '../shell/toasts.ts'
import { useShortcuts } from '../shell/use-shortcuts.ts'
import { mayUpdate, opensEditor } from '../field-types/drafts.ts'
import { StatusProvider } from '../field-types/status.tsx'
import { text } from './messages.ts'
import styles from './artifact-page.module.css'
import { artifactQuery, type OpenArtifact, versionsQuery } from './artifact-queries.ts'
import { COMMENT_FIELD, CommentBox } from './comment-box.tsx'
import { Conflict } from './conflict.tsx'
import { DeleteArtifact } from './delete-artifact.tsx'
import { Facts } from './facts.tsx'
import { FieldRow } from './field-row.tsx'
import { fieldTree, pruneNodes } from './field-tree.ts'
import { ArtifactForm } from './form.tsx'
import { findKeyField, isPickable, PICKER_KEYS, type PickerKey } from './key-fields.ts'
import { PickSearch } from './pick-search.tsx'
import { providePickSearch } from './pick.tsx'
import { SaveBar } from './save-bar.tsx'
import { Timeline } from './timeline.tsx'
import { useLiveArtifact } from './use-live-artifact.ts'
import { useEditing } from './use-editing.ts'
import { usePickedField } from './use-picked-field.ts'
import { ValuePicker } from './value-picker.tsx'
import { toggleWatch } from './watch.tsx'
import { Breadcrumb } from './breadcrumb.tsx'
import type { ValueDraft } from '../field-types/field-type.ts'

providePickSearch(PickSearch)

export function ArtifactPage() {
  const { artifact: id } = useParams({ from: '/shell/artifacts/$artifact' })
  const number = /^[1-9]\d{0,14}$/.test(id) ? Number(id) : 0
  const { data: open, error, refetch } = useQuery(artifactQuery(number))
  const { data: session } = useSession()
  // Requested in parallel with the artifact.
  usePrefetchInfiniteQuery(versionsQuery(number))
  const status = failureOf(error)?.status
  if (error && (!open || status === 404))
    return status === 404 || number === 0 ? (
      <PageLayout title={text('artifact.absent')} lead={text('artifact.absent.lead')}>
        <ApiCalls calls={artifactCalls(number, [])} />
      </PageLayout>
    ) : (
      <PageLayout title={text('artifact.numbered', { id })}>
        <RefusalNotice error={error} onRetry={() => void refetch()} />
      </PageLayout>
    )
  if (!open || session === undefined)
    return (
      <PageLayout title={text('artifact.numbered', { id })}>
        <Panel title={text('artifact.fields')} isList>
          <Loading />
        </Panel>
      </PageLayout>
    )
  // Drafts belong to one account and one artifact.
  const name = `${session?.user.id ?? 0}.artifact.${number}`
  return (
    <StatusProvider tracker={open.tracker}>
      <ShownArtifact key={name} open={open} draftName={name} />
    </StatusProvider>
  )
}

function ShownArtifact({ open, draftName }: { open: OpenArtifact; draftName: string }) {
  const { artifact, tracker } = open
  const { id, title, xref } = artifact
  const { data: session } = useSession()
  const editing = useEditing(open, draftName)
  useLiveArtifact(id, tracker.id)
  useSeen('artifact', id)
  const place = useRef<HTMLDivElement>(null)
  const { picked, anchor, open: openPicker, close } = usePickedField(place)
  const pick = editing.drafts.length === 0 ? openPicker : editing.begin
  const titleId = tracker.semantics.title?.field_id
  const titleField = tracker.fields.find(({ field_id }) => field_id === titleId)
  const nodes = pruneNodes(fieldTree(tracker), ({ field_id }) => field_id !== titleId)
  const comment = () => {
    const box = place.current?.querySelector<HTMLElement>(`[data-name="${COMMENT_FIELD}"]`)
    box?.focus({ preventScroll: true })
    box?.closest('form')?.scrollIntoView({ block: 'nearest' })
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
    ...(session && { w: () => void toggleWatch(id) }),
  })
  const actions = (
    <div className={styles['actions']}>
      {titleField && mayUpdate(titleField) && !editing.draftFor(titleField.field_id) && (
        <Button onPress={() => editing.begin(titleField)}>{text('artifact.rename')}</Button>
      )}
      <DeleteArtifact open={open} />
    </div>
  )
  return (
    <PageLayout
      title={title ?? xref}
      above={<Breadcrumb tracker={tracker} />}
      here={<b>{xref}</b>}
      star={<StarButton kind="artifact" id={id} />}
      actions={actions}
      isBroad
    >
      <div ref={place} className={styles['columns']}>
        <div className={styles['column']}>
          {titleField && editing.draftFor(titleField.field_id) && (
            <Panel title={text('artifact.rename')}>
              <FieldRow open={open} field={titleField} editing={editing} onPick={pick} />
            </Panel>
          )}
          <ArtifactForm nodes={nodes}>
            {(field) => <FieldRow open={open} field={field} editing={editing} onPick={pick} />}
          </ArtifactForm>
        </div>
        <aside className={`${styles['column']} ${styles['side']}`} aria-label={text('facts.title')}>
          <Facts open={open} />
        </aside>
        <Timeline id={id} tracker={tracker}>
          <CommentBox open={open} editing={editing} />
        </Timeline>
      </div>
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
      <SaveBar editing={editing} onComment={comment} />
      {editing.clash && <Conflict editing={editing} clash={editing.clash} />}
      <ApiCalls calls={artifactCalls(id, editing.drafts)} />
    </PageLayout>
  )
}

/** The API calls that read this page and write its drafts. */
function artifactCalls(id: number, drafts: readonly ValueDraft[]): readonly SnippetCall[] {
  const body = { values: drafts }
  const reading: SnippetCall = { label: text('call.read'), operation: 'GET /artifacts/{id}', path: { id } }
  const writing: SnippetCall = { label: text('call.write'), operation: 'PUT /artifacts/{id}', path: { id }, body }
  return drafts.length === 0 ? [reading] : [reading, writing]
}
