import type { SnippetCall } from '../design/api-snippets.tsx'
import type { ValueDraft } from '../field-types/field-type.ts'
import { text } from './messages.ts'

/** The API calls that read this page and write its drafts. */
export function artifactCalls(id: number, drafts: readonly ValueDraft[]): readonly SnippetCall[] {
  const body = { values: drafts }
  const reading: SnippetCall = { label: text('call.read'), operation: 'GET /artifacts/{id}', path: { id } }
  const writing: SnippetCall = { label: text('call.write'), operation: 'PUT /artifacts/{id}', path: { id }, body }
  return drafts.length === 0 ? [reading] : [reading, writing]
}
