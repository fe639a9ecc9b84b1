import { requireAccount } from '../../accounts/refusals.ts'
import { copyFiles } from '../../files/claim-files.ts'
import type { Tx } from '../../platform/database/db.ts'
import { fieldTypeOf } from '../../trackers/fields/field-types.ts'
import type { LoadedTracker } from '../../trackers/load-tracker.ts'
import type { FieldId } from '../../trackers/tracker.ts'
import type { Changes } from '../writing/draft.ts'
import type { Author, Draft } from '../writing/draft-version.ts'
import type { NewAttachment } from './plan-attaching.ts'

interface Copied {
  /** What was drafted, with the copies in the place of the files of the other artifact. */
  readonly changes: Changes
  readonly copies: readonly NewAttachment[]
}

/** Makes files of its own for a copy; their content is not stored again. */
export async function copyAttachments(
  tx: Tx,
  { viewer, now }: Author,
  tracker: LoadedTracker,
  { changes, copied }: Pick<Draft, 'changes' | 'copied'>,
): Promise<Copied> {
  if (copied.size === 0) return { changes, copies: [] }
  const filesOf = (field: FieldId) => {
    const element = tracker.byId.get(field)
    return (element && fieldTypeOf(element).files?.(changes.get(field))) ?? []
  }
  const made = await copyFiles(tx, [...copied].flatMap(filesOf), requireAccount(viewer), now)
  const [settled, copies] = [new Map(changes), new Array<NewAttachment>()]
  for (const field of copied) {
    const files = filesOf(field).flatMap((file) => made.get(file) ?? [])
    settled.set(field, files)
    copies.push(...files.map((file) => ({ file, field })))
  }
  return { changes: settled, copies }
}
