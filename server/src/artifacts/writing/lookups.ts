import type { FileId } from '../../files/file.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { AccountId, Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import { chooseIn, findOpenValue } from '../../trackers/binds/population.ts'
import type { FoundPerson, OpenValue } from '../../trackers/fields/field-type.ts'
import { type LinkTypeRule, linkTypeRules } from '../../trackers/link-types/link-type-rules.ts'
import type { LoadedTracker } from '../../trackers/load-tracker.ts'
import type { Element, FieldId } from '../../trackers/tracker.ts'
import { findNamedFiles, type NamedFile } from '../attachments/find-named-files.ts'
import { type End, findEnds } from '../links/find-ends.ts'

/** What a draft asks the database. Many drafts at once ask together (`bulk/shared-lookups.ts`). */
export interface Lookups {
  choose(
    tracker: LoadedTracker,
    field: Element,
    wanted: readonly (number | string)[],
    kept: readonly AccountId[],
  ): Promise<readonly FoundPerson[]>
  findOpenValue(
    field: FieldId,
    given: { readonly id: number } | { readonly label: string },
  ): Promise<OpenValue | undefined>
  findEnds(ids: readonly number[]): Promise<ReadonlyMap<number, End>>
  linkTypes(project: number): Promise<ReadonlyMap<string, LinkTypeRule>>
  findFiles(ids: readonly FileId[]): Promise<ReadonlyMap<FileId, NamedFile>>
}

export interface Asker {
  readonly context: Context
  readonly db: Db | Tx
  readonly viewer: Viewer
}

/** Each question by itself, when it comes up. */
export function lookupsOf({ context, db, viewer }: Asker): Lookups {
  return {
    choose: (tracker, field, wanted, kept) => chooseIn(context, db, tracker, field, wanted, kept),
    findOpenValue: (field, given) => findOpenValue(db, field, given),
    findEnds: (ids) => findEnds(db, viewer, ids),
    linkTypes: (project) => linkTypeRules(db, project),
    findFiles: (ids) => findNamedFiles({ context, db, viewer }, ids),
  }
}
