import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import type { TrackerField } from '@waypost/sdk/api'
import { useState } from 'react'
import { api, read } from '../api.ts'
import { Button } from '../design/button.tsx'
import { Loading } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import { isJsonRecord, jsonText } from '../json.ts'
import { text } from './messages.ts'
import styles from './preview.module.css'
import { RichText } from './rich-text.tsx'
import { useDebounced } from './use-debounced.ts'

/** Renders a text by a dry run on the server; nothing is stored. */
const previewQuery = (artifact: number, fieldId: number, content: string, format: string) =>
  queryOptions({
    queryKey: ['artifacts', artifact, 'preview', fieldId, format, content],
    staleTime: 60_000,
    gcTime: 60_000,
    queryFn: async () => {
      const body = { values: [{ field_id: fieldId, value: { content, format } }] }
      const { dry_run } = await read(api.dryRun('PUT /artifacts/{id}', { path: { id: artifact }, body }))
      const fields = dry_run.changes.flatMap((change) => change.fields)
      const after = fields.find(({ field_id }) => field_id === fieldId)?.after
      return isJsonRecord(after) ? jsonText(after['post_processed_value']) : undefined
    },
  })

interface Props {
  readonly artifact: number
  /** A text field that the viewer may write. */
  readonly field: TrackerField
  readonly value: { readonly content: string; readonly format: string }
  /** The rendered text, if the draft equals the stored one. */
  readonly unchanged?: string | undefined
}

/** A preview of a text, rendered on request. */
export function Preview({ artifact, field, value, unchanged }: Props) {
  const [isShown, setShown] = useState(false)
  return (
    <div className={styles['preview']}>
      <Button kind="quiet" aria-pressed={isShown} onPress={() => setShown(!isShown)}>
        {text(isShown ? 'preview.hide' : 'preview.show')}
      </Button>
      {isShown && value.content.trim() !== '' && (
        <Shown artifact={artifact} field={field} value={value} unchanged={unchanged} />
      )}
    </div>
  )
}

function Shown({ artifact, field, value, unchanged }: Props) {
  const { data, error } = useQuery({
    ...previewQuery(artifact, field.field_id, useDebounced(value.content), value.format),
    placeholderData: keepPreviousData,
  })
  if (error) return <RefusalNotice error={error} />
  const html = data ?? unchanged
  return <div className={styles['shown']}>{html === undefined ? <Loading /> : <RichText html={html} />}</div>
}
