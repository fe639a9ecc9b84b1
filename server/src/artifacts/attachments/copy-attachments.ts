import { requireAccount } from '../../accounts/auth-errors.ts'
import { copyFiles } from '../../files/claim-files.ts'
import type { Tx } from '../../platform/database/db.ts'
import { fieldTypeOf } from '../../trackers/field-types/field-types.ts'
import type { LoadedTracker } from '../../trackers/load-tracker.ts'
import type { FieldId } from '../../trackers/tracker.ts'
import type { Author, Changes, VersionDraft } from '../update-artifact/version-draft.ts'
import type { NewAttachment } from './plan-attaching.ts'

interface Copied {
  /** The drafted changes, with the copies in place of the original files. */
  readonly changes: Changes
  readonly copies: readonly NewAttachment[]
}

/** Creates separate file rows for a copy; the content is shared. */
export async function copyAttachments(
  tx: Tx,
  { viewer, now }: Author,
  tracker: LoadedTracker,
  { changes, copied }: Pick<VersionDraft, 'changes' | 'copied'>,
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
