import { sql } from 'kysely'
import type { AccountId } from '../../platform/http/viewer.ts'
import { DAY_OR_INSTANT_FORM, apiDate, parseInstant } from '../../platform/wire/dates.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import type { ReadContext } from '../../trackers/field-types/field-type.ts'
import type { Artifact } from '../artifact.ts'
import { pastLinks } from '../links/past-links.ts'
import type { FoundArtifact } from '../reading/find-artifact.ts'
import type { Audience } from '../reading/audience.ts'
import { findPastPeople } from './past-people.ts'
import { buildPastReadContext } from './past-read-context.ts'
import { readVersions } from './read-versions.ts'
import { replayVersions } from './replay-versions.ts'

export interface PastArtifact {
  readonly found: FoundArtifact
  readonly reading: ReadContext
  /** The version members of the response. */
  readonly versionInfo: { readonly version: number; readonly as_of: string; readonly is_current: boolean }
}

interface VersionRow {
  version: number
  submitted_by: AccountId | null
  submitted_on: Date
  last_modified: Date
}

/** A version number, or the moment whose last version is meant. */
type When = { readonly version: number } | { readonly moment: string }

/** The requested version or moment; undefined for the current state. Validated before the artifact is loaded. */
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

/**
 * The past state of the artifact under current permissions. A version that shows nothing to the caller is treated as
 * missing; a moment selects the last version that shows something. Undefined if the permissions have changed since the
 * caller read them.
 */
export async function findPastArtifact(
  audience: Audience,
  now: FoundArtifact,
  when: When,
): Promise<PastArtifact | undefined> {
  const { access, artifact } = now
  const LAST = { commentsOnly: false, order: 'desc', page: { limit: 1, offset: 0, after: undefined } } as const
  const current = await readVersions(audience, access, artifact.id, LAST)
  const wanted = 'version' in when ? { version: when.version } : { until: when.moment }
  const shown = await readVersions(audience, access, artifact.id, { ...LAST, ...wanted })
  if (!current || !shown) return undefined
  const [last] = shown.rows
  if (!last) throw new ApiError('not_found')
  return {
    ...(await loadVersion(audience, now, last.version)),
    versionInfo: {
      version: last.version,
      as_of: apiDate('moment' in when ? new Date(when.moment) : last.submitted_on),
      is_current: last.version === current.rows[0]?.version,
    },
  }
}

/** The artifact after one of its versions, even if that version shows nothing to the caller. */
export async function loadVersion(
  audience: Audience,
  now: FoundArtifact,
  version: number,
): Promise<Pick<PastArtifact, 'found' | 'reading'>> {
  const { db } = audience
  const { rows } = await sql<VersionRow>`
    select version, submitted_by, submitted_on, last_modified from changeset
    where artifact_id = ${now.artifact.id} and changeset.version = ${version}`.execute(db)
  const [last] = rows
  if (!last) throw new ApiError('not_found')

  const steps = await replayVersions(db, now.artifact, [last.version])
  const artifact: Artifact = {
    ...now.artifact,
    version: last.version,
    field_values: steps.get(last.version)?.after ?? {},
    last_update_by: last.submitted_by,
    last_modified_date: last.submitted_on,
    last_modified: last.last_modified,
  }
  const people = await findPastPeople(audience, now, [artifact])
  const linksOf = await pastLinks(audience, now.access, [artifact.field_values])
  const readingAt = await buildPastReadContext(audience, now, { people, linksOf, states: [artifact.field_values] })
  return {
    found: { ...now, artifact, people, forward: linksOf(artifact.field_values) },
    reading: readingAt(artifact),
  }
}

const DAY_PATTERN = /^\d{4}-\d\d-\d\d$/
const FRACTION = /\.(\d{1,6})\d*/

/**
 * The requested instant as text for PostgreSQL: versions differ by microseconds, which a Date cannot hold. A day means
 * its end.
 */
function readMoment(text: string, zone: string): string {
  const instant = parseInstant(DAY_PATTERN.test(text) ? `${text}T23:59:59.999` : text, zone)
  if (!instant)
    throw new ApiError('parameter_invalid', {
      path: 'at',
      rule: 'format',
      cause: 'date_form',
      params: DAY_OR_INSTANT_FORM,
    })
  const fraction = DAY_PATTERN.test(text) ? '999999' : (FRACTION.exec(text)?.[1] ?? '0').padEnd(6, '0')
  return `${instant.toISOString().slice(0, 19)}.${fraction}Z`
}
