import { unescapeHtml } from '../../platform/wire/html.ts'
import { plainText } from '../../platform/texts/plain-text.ts'
import { renderText, type TextFormat } from '../../platform/texts/render-text.ts'
import type { Reading } from '../../trackers/fields/field-type.ts'
import { fieldTypeOf } from '../../trackers/fields/field-types.ts'
import type { Element } from '../../trackers/tracker.ts'
import type { Artifact, ArtifactId } from '../artifact.ts'
import { pastLinks } from '../links/past-links.ts'
import { titleOf } from '../reading/title.ts'
import type { Audience } from '../reading/reading.ts'
import { findPastPeople } from './past-people.ts'
import { pastReading } from './past-reading.ts'
import { findVersions } from './find-versions.ts'
import { replaySteps } from './replay.ts'

/** One version in words, as far as the viewer may read it now. */
export interface DescribedVersion {
  readonly xref: string
  readonly title: string | null
  readonly changes: readonly { readonly label: string; readonly before: string; readonly after: string }[]
  /** Empty: there is none that he may read. */
  readonly comment: string
}

/** Undefined: the version shows this viewer nothing. Throws where the artifact is none for him. */
export async function describeVersion(
  audience: Audience,
  id: ArtifactId,
  version: number,
): Promise<DescribedVersion | undefined> {
  const { now, rows } = await findVersions(audience, id, { version, commentsOnly: false, order: 'asc', page: ONE })
  const [row] = rows
  const steps = await replaySteps(audience.db, now.artifact, [version])
  const step = steps.get(version)
  if (!row || !step) return undefined
  const states = [step.before, step.after]
  const at = (field_values: Artifact['field_values']): Artifact => ({
    ...now.artifact,
    version,
    field_values,
    last_update_by: row.submitted_by,
    last_modified_date: row.submitted_on,
  })
  const people = await findPastPeople(audience, now, states.map(at))
  const linksOf = await pastLinks(audience, now.sight, states)
  const readingAt = await pastReading(audience, now, { people, linksOf, states })
  const [was, is] = [at(step.before), at(step.after)]
  const differing = now.sight.readable.filter(
    ({ id: field, type }) => String(field) in step.changes && (type !== 'art_link' || row.is_linked),
  )
  const changes = differing.map((element) => ({
    label: element.label,
    before: version === 1 ? '' : wordsOf(element, was, readingAt(was)),
    after: wordsOf(element, is, readingAt(is)),
  }))
  return {
    xref: `${now.sight.tracker.item_name} #${id}`,
    title: titleOf(now),
    changes: changes.filter(({ before, after }) => before !== after),
    comment: row.comment === null || row.comment_format === null ? '' : linesOf(row.comment_format, row.comment),
  }
}

const ONE = { limit: 1, offset: 0, after: undefined }

/** A value in plain words. */
function wordsOf(element: Element, { field_values }: Artifact, reading: Reading): string {
  const type = fieldTypeOf(element)
  const stored = field_values[String(element.id)]
  const texts = stored === undefined ? [] : (type.texts?.(stored) ?? [])
  if (texts.length > 0) return texts.map(({ format, content }) => plainText(format, content)).join(' ')
  const flat = type.flat?.(stored, element, reading) ?? null
  return Array.isArray(flat) ? flat.join(', ') : String(flat ?? '')
}

/** What a text says, line by line, without markup. */
function linesOf(format: TextFormat, source: string): string {
  if (format === 'text') return source.trim()
  const broken = renderText(format, source).replaceAll(/<br ?\/?>|<\/(?:p|li|h\d|div|tr|pre|blockquote)>/g, '\n')
  return unescapeHtml(broken.replaceAll(/<[^<>]*>/g, ''))
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}
