import { sql } from 'kysely'
import type { AccountId } from '../../platform/http/viewer.ts'
import { apiDate } from '../../platform/wire/dates.ts'
import { ApiError } from '../../platform/words/errors.ts'
import type { Reading } from '../../trackers/fields/field-type.ts'
import type { Artifact } from '../artifact.ts'
import { pastLinks } from '../links/past-links.ts'
import type { FoundArtifact } from '../reading/find-artifact.ts'
import type { Audience } from '../reading/reading.ts'
import { readMoment } from './moment.ts'
import { findPastPeople } from './past-people.ts'
import { pastReading } from './past-reading.ts'
import { replaySteps } from './replay.ts'

export interface PastArtifact {
  readonly found: FoundArtifact
  readonly reading: Reading
  /** What the answer tells about it. */
  readonly told: { readonly version: number; readonly as_of: string; readonly is_current: boolean }
}

interface VersionRow {
  version: number
  submitted_by: AccountId | null
  submitted_on: Date
  last_modified: Date
}

/** The version, or what was the last one at a moment. */
type When = { readonly version: number } | { readonly moment: string }

/** When the artifact is meant to be shown as of; undefined: now. Judged before the artifact is looked for. */
export function readWhen(
  { context, viewer }: Audience,
  { version, at }: { version?: number; at?: string },
): When | undefined {
  if (version !== undefined && at !== undefined)
    throw new ApiError('parameter_conflict', { path: 'at', cause: 'at_and_version' })
  if (version !== undefined) return { version }
  return at === undefined
    ? undefined
    : { moment: readMoment(at, viewer.time_zone ?? context.settings.current.time_zone) }
}

/** The artifact as of then, with the rights of now. */
export async function findPastArtifact(audience: Audience, now: FoundArtifact, when: When): Promise<PastArtifact> {
  const { db } = audience
  const isMeant =
    'version' in when
      ? sql`changeset.version = ${when.version}::bigint`
      : sql`changeset.submitted_on <= ${when.moment}::timestamptz`
  const { rows } = await sql<VersionRow>`
    select version, submitted_by, submitted_on, last_modified from changeset
    where artifact_id = ${now.artifact.id} and ${isMeant} order by version desc limit 1`.execute(db)
  const [last] = rows
  if (!last) throw new ApiError('not_found')

  const steps = await replaySteps(db, now.artifact, [last.version])
  const artifact: Artifact = {
    ...now.artifact,
    version: last.version,
    field_values: steps.get(last.version)?.after ?? {},
    last_update_by: last.submitted_by,
    last_modified_date: last.submitted_on,
    last_modified: last.last_modified,
  }
  const people = await findPastPeople(audience, now, [artifact])
  const linksOf = await pastLinks(audience, now.sight, [artifact.field_values])
  const readingAt = await pastReading(audience, now, { people, linksOf, states: [artifact.field_values] })
  return {
    found: { ...now, artifact, people, forward: linksOf(artifact.field_values) },
    reading: readingAt(artifact),
    told: {
      version: last.version,
      as_of: apiDate('moment' in when ? new Date(when.moment) : last.submitted_on),
      is_current: last.version === now.artifact.version,
    },
  }
}
