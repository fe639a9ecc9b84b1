import type { Call } from '../design/copy.tsx'
import { text } from './words.ts'
import type { Draft } from './draft.ts'

/** What the page shows, and what it is about to write, as calls. */
export function artifactCalls(id: number, drafts: readonly Draft[]): readonly Call[] {
  const body = { values: drafts }
  const reading: Call = { label: text('call.read'), operation: 'GET /artifacts/{id}', path: { id } }
  const writing: Call = { label: text('call.write'), operation: 'PUT /artifacts/{id}', path: { id }, body }
  return drafts.length === 0 ? [reading] : [reading, writing]
}
