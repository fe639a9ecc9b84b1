import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import type { Tracker } from '@waypost/sdk/api'
import { useRef, useState } from 'react'
import { useSession } from '../accounts/session.ts'
import { failureOf } from '../api.ts'
import { Button } from '../design/button.tsx'
import { ApiCalls } from '../design/api-snippets.tsx'
import { ChoiceInput } from '../design/field.tsx'
import { Loading, PageLayout, Panel } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import { EditValue } from '../field-types/field-views.tsx'
import { draftKeys } from '../field-types/parts/list-keys.ts'
import { jsonText } from '../json.ts'
import { text } from './messages.ts'
import { trackerQuery } from '../trackers/tracker-query.ts'
import { ParentLine } from './artifact-head.tsx'
import { Duplicates } from './duplicates.tsx'
import { fieldTree, isStatic, pruneNodes } from './field-tree.ts'
import { ArtifactForm } from './form.tsx'
import styles from './new-artifact-page.module.css'
import { PickSearch } from './pick-search.tsx'
import { providePickSearch } from './pick.tsx'
import { SaveFailure } from './save-bar.tsx'
import { Breadcrumb } from './breadcrumb.tsx'
import { type NewDraft, useNewArtifact } from './use-new-artifact.ts'
import { problemIn } from './use-editing.ts'

providePickSearch(PickSearch)

export function NewArtifactPage() {
  const { tracker: id } = useParams({ from: '/shell/own/trackers/$tracker/new' })
  const { parent } = useSearch({ from: '/shell/own/trackers/$tracker/new' })
  const number = /^[1-9]\d{0,14}$/.test(id) ? Number(id) : 0
  const { data: tracker, error, refetch } = useQuery(trackerQuery(number))
  const { data: session } = useSession()
  if (error && !tracker)
    return failureOf(error)?.status === 404 ? (
      <PageLayout title={text('new.absent')} lead={text('new.absent.lead')}>
        {null}
      </PageLayout>
    ) : (
      <PageLayout title={text('new.artifact')}>
        <RefusalNotice error={error} onRetry={() => void refetch()} />
      </PageLayout>
    )
  if (!tracker || !session)
    return (
      <PageLayout title={text('new.artifact')}>
        <Panel title={text('artifact.fields')} isList>
          <Loading />
        </Panel>
      </PageLayout>
    )
  const name = `${session.user.id}.new.${number}${parent === undefined ? '' : `.of.${parent}`}`
  return <NewForm key={name} tracker={tracker} parent={parent} draftName={name} />
}

interface FormProps {
  readonly tracker: Tracker
  /** The artifact of which the new one becomes a part. */
  readonly parent: number | undefined
  readonly draftName: string
}

function NewForm({ tracker, parent, draftName }: FormProps) {
  const draft = useNewArtifact(tracker, draftName, parent)
  const { fields, isNeeded } = draft
  const [isAll, setAll] = useState(false)
  const [isAnother, setAnother] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const title = text('new.title', { what: tracker.item_name })
  if (fields.length === 0)
    return (
      <PageLayout title={title} lead={text('new.forbidden', { tracker: tracker.label })}>
        {null}
      </PageLayout>
    )
  const isShown = (id: number) => fields.some(({ field_id }) => field_id === id)
  const rest = fields.filter((field) => !isNeeded(field))
  const nodes = pruneNodes(fieldTree(tracker), (field) => isShown(field.field_id) && (isAll || isNeeded(field)))
  const titleId = tracker.semantics.title?.field_id
  const send = async () => {
    await draft.send(isAnother ? 'another' : 'open')
    if (isAnother) form.current?.querySelector('input')?.focus()
  }
  const typed = jsonText(draft.drafts.get(titleId ?? 0)?.value)
  return (
    <PageLayout
      title={title}
      above={<Breadcrumb tracker={tracker} />}
      date={parent !== undefined && draft.hasLinks ? <ParentLine parents={[{ id: parent, tracker: '' }]} /> : undefined}
      lead={tracker.instructions.submit || text('new.lead')}
    >
      <form
        ref={form}
        className={styles['form']}
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          void send()
        }}
      >
        {parent !== undefined && !draft.hasLinks && <p role="status">{text('new.no_parent')}</p>}
        {draft.isKept && (
          <p className={styles['kept']} role="status">
            {text('new.kept')} <Button onPress={draft.startOver}>{text('new.start_over')}</Button>
          </p>
        )}
        <ArtifactForm nodes={nodes.filter(({ field }) => !isStatic(field))}>
          {(field) => (
            <div>
              <EditValue
                tracker={tracker}
                field={field}
                draft={draft.draftFor(field)}
                onChange={draft.change}
                chosen={(id) => draftKeys(draft.drafts.get(id))}
                error={problemIn(draft.failure, field.field_id)}
                autoFocus={field.field_id === titleId}
              />
              {field.field_id === titleId && <Duplicates tracker={tracker.id} title={typed} />}
            </div>
          )}
        </ArtifactForm>
        {!isAll && rest.length > 0 && (
          <div>
            <Button onPress={() => setAll(true)}>{text('new.more', { count: rest.length })}</Button>
          </div>
        )}
        {draft.failure && <SaveFailure failure={draft.failure} isBesideFields={isBesideFields(draft)} />}
        <div className={styles['actions']}>
          <Button kind="primary" type="submit" isDisabled={draft.isSending}>
            {text('new.create')}
          </Button>
          <ChoiceInput
            label={text('new.another')}
            checked={isAnother}
            onChange={({ target }) => setAnother(target.checked)}
          />
          <span>{text('new.hint')}</span>
        </div>
      </form>
      <ApiCalls calls={[draft.call]} />
    </PageLayout>
  )
}

function isBesideFields({ failure, fields }: NewDraft): boolean {
  return fields.some(({ field_id }) => problemIn(failure, field_id) !== undefined)
}
