import { usePrefetchInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useRef } from 'react'
import { useSession } from '../accounts/session.ts'
import { failureOf } from '../api.ts'
import { Button } from '../design/button.tsx'
import { ApiCalls } from '../design/copy.tsx'
import { Loading, Page, Panel } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import { useShortcuts } from '../shell/use-shortcuts.ts'
import { text } from './words.ts'
import { artifactCalls } from './artifact-calls.ts'
import styles from './artifact-page.module.css'
import { artifactQuery, type OpenArtifact, versionsQuery } from './artifact-queries.ts'
import { COMMENT_FIELD, CommentBox } from './comment-box.tsx'
import { Conflict } from './conflict.tsx'
import { DeleteArtifact } from './delete-artifact.tsx'
import { mayUpdate } from './draft.ts'
import { Facts } from './facts.tsx'
import { FieldRow } from './field-row.tsx'
import { fieldTree, pruned } from './field-tree.ts'
import { Form } from './form.tsx'
import { SaveBar } from './save-bar.tsx'
import { Timeline } from './timeline.tsx'
import { useArtifactNews } from './use-artifact-news.ts'
import { useEditing } from './use-editing.ts'
import { toggleWatch } from './watch.tsx'
import { WayBack } from './way-back.tsx'

export function ArtifactPage() {
  const { artifact: id } = useParams({ from: '/shell/artifacts/$artifact' })
  const number = /^[1-9]\d{0,14}$/.test(id) ? Number(id) : 0
  const { data: open, error, refetch } = useQuery(artifactQuery(number))
  const { data: session } = useSession()
  // Asked for together with the artifact, and not after it.
  usePrefetchInfiniteQuery(versionsQuery(number))
  const status = failureOf(error)?.status
  if (error && (!open || status === 404))
    return status === 404 || number === 0 ? (
      <Page title={text('artifact.absent')} lead={text('artifact.absent.lead')}>
        <ApiCalls calls={artifactCalls(number, [])} />
      </Page>
    ) : (
      <Page title={text('artifact.numbered', { id })}>
        <RefusalNotice error={error} onRetry={() => void refetch()} />
      </Page>
    )
  if (!open || session === undefined)
    return (
      <Page title={text('artifact.numbered', { id })}>
        <Panel title={text('artifact.fields')} isList>
          <Loading />
        </Panel>
      </Page>
    )
  // Drafts belong to one person and one artifact.
  const name = `${session?.user.id ?? 0}.artifact.${number}`
  return <ShownArtifact key={name} open={open} draftName={name} />
}

function ShownArtifact({ open, draftName }: { open: OpenArtifact; draftName: string }) {
  const { artifact, tracker } = open
  const { id, title, xref } = artifact
  const { data: session } = useSession()
  const editing = useEditing(open, draftName)
  useArtifactNews(id, tracker.id)
  const place = useRef<HTMLDivElement>(null)
  const titleId = tracker.semantics.title?.field_id
  const titleField = tracker.fields.find(({ field_id }) => field_id === titleId)
  const nodes = pruned(fieldTree(tracker), ({ field_id }) => field_id !== titleId)
  const comment = () => place.current?.querySelector<HTMLElement>(`[data-name="${COMMENT_FIELD}"]`)?.focus()
  useShortcuts({
    c: comment,
    e: () => {
      const first = tracker.fields.find((field) => mayUpdate(field) && field.type !== 'file')
      if (first) editing.begin(first)
    },
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
    <Page title={title ?? xref} above={<WayBack tracker={tracker} />} lead={xref} actions={actions}>
      <div ref={place} className={styles['columns']}>
        <div className={styles['column']}>
          {titleField && editing.draftFor(titleField.field_id) && (
            <Panel title={text('artifact.rename')}>
              <FieldRow open={open} field={titleField} editing={editing} />
            </Panel>
          )}
          <Form nodes={nodes}>{(field) => <FieldRow open={open} field={field} editing={editing} />}</Form>
        </div>
        <aside className={`${styles['column']} ${styles['side']}`} aria-label={text('facts.title')}>
          <Facts open={open} />
        </aside>
        <Timeline id={id} tracker={tracker}>
          <CommentBox open={open} editing={editing} />
        </Timeline>
      </div>
      <SaveBar editing={editing} onComment={comment} />
      {editing.clash && <Conflict editing={editing} clash={editing.clash} />}
      <ApiCalls calls={artifactCalls(id, editing.drafts)} />
    </Page>
  )
}
