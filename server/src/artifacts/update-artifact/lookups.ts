import type { FileId } from '../../files/file.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import { listOfferedValues } from '../../trackers/binds/offered-values.ts'
import { findChoosablePeople, findOpenValue } from '../../trackers/binds/population.ts'
import type { FoundPerson, OfferedValue, OpenValue } from '../../trackers/field-types/field-type.ts'
import { type LinkTypeRule, linkTypeRules } from '../../trackers/link-types/link-type-rules.ts'
import type { LoadedTracker } from '../../trackers/load-tracker.ts'
import type { Element, FieldId } from '../../trackers/tracker.ts'
import { findNamedFiles, type NamedFile } from '../attachments/find-named-files.ts'
import { type LinkEnd, findLinkEnds } from '../links/find-link-ends.ts'
import type { Asker } from '../reading/audience.ts'

/** Database lookups of a draft. Concurrent drafts batch them (`bulk/batched-lookups.ts`). */
export interface Lookups {
  choose(
    tracker: LoadedTracker,
    field: Element,
    wanted: readonly (number | string)[],
    kept: readonly AccountId[],
  ): Promise<readonly FoundPerson[]>
  listOffered(tracker: LoadedTracker, field: Element): Promise<readonly OfferedValue[]>
  findOpenValue(
    field: FieldId,
    given: { readonly id: number } | { readonly label: string },
  ): Promise<OpenValue | undefined>
  findEnds(ids: readonly number[]): Promise<ReadonlyMap<number, LinkEnd>>
  linkTypes(project: number): Promise<ReadonlyMap<string, LinkTypeRule>>
  findFiles(ids: readonly FileId[]): Promise<ReadonlyMap<FileId, NamedFile>>
}

/** Unbatched lookups. */
export function lookupsOf({ context, db, viewer }: Asker): Lookups {
  return {
    choose: (tracker, field, wanted, kept) => findChoosablePeople(context, db, tracker, field, wanted, kept),
    listOffered: (tracker, field) => listOfferedValues(context, db, viewer, tracker, field),
    findOpenValue: (field, given) => findOpenValue(db, field, given),
    findEnds: (ids) => findLinkEnds(db, viewer, ids),
    linkTypes: (project) => linkTypeRules(db, project),
    findFiles: (ids) => findNamedFiles({ context, db, viewer }, ids),
  }
}
