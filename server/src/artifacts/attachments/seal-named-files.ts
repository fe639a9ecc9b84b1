import { type FileId, isWhole } from '../../files/file.ts'
import { readFiles } from '../../files/find-files.ts'
import { sealFile } from '../../files/seal-file.ts'
import { isId } from '../../platform/database/ids.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import { isRecord } from '../../platform/wire/schema-shape.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { parseClientNumber } from '../../trackers/binds/parse-list-input.ts'
import type { ArtifactValues } from '../update-artifact/schemas.ts'
import { hasExpired, isOwn } from './find-readable-file.ts'

/** Files whose content the check refused. */
export type Refusals = ReadonlySet<FileId>

interface Sealing {
  readonly context: Context
  readonly viewer: Viewer
  readonly query: object
}

type Values = Pick<ArtifactValues, 'values' | 'values_by_field'>

/**
 * Seals files that a write may attach before its transaction begins, because large files take time. The write decides
 * whether it claims them; a dry run seals none.
 */
export async function sealNamedFiles(
  { context, viewer, query }: Sealing,
  inputs: readonly Values[],
): Promise<Refusals | undefined> {
  const isDryRun = 'dry_run' in query && query.dry_run === true
  const ids = new Set(isDryRun ? [] : inputs.flatMap(idsIn))
  if (ids.size === 0) return undefined
  const refusals = new Set<FileId>()
  for (const file of (await readFiles(context.db, [...ids])).values()) {
    if (file.is_attached || !isOwn(viewer, file) || !isWhole(file) || hasExpired(file, context.clock.now())) continue
    await sealFile(context, file).catch((error: unknown) => {
      const isRefused = error instanceof ApiError && error.details?.cause === 'file_refused'
      const isGone = error instanceof ApiError && error.reason === 'not_found'
      if (isRefused) refusals.add(file.id)
      else if (!isGone) throw error
    })
  }
  return refusals
}

/** Numbers in places where file ids may stand; the types of the fields are not known yet. */
function idsIn({ values = [], values_by_field = {} }: Values): FileId[] {
  const named = Object.values(values_by_field).map((given) => (isRecord(given) ? given : { value: given }))
  return [...values, ...named].flatMap(({ value, add }: Record<string, unknown>) =>
    [value, add].flatMap((list) =>
      Array.isArray(list)
        ? list.flatMap((each: unknown) => {
            const id = parseClientNumber(each)
            return id !== undefined && isId<FileId>(id) ? [id] : []
          })
        : [],
    ),
  )
}
