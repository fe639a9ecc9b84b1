import { unescapeHtml } from '../../platform/wire/html.ts'
import { toPlainText } from '../../platform/rich-text/plain-text.ts'
import { renderText, type TextFormat } from '../../platform/rich-text/render-text.ts'
import type { ReadContext } from '../../trackers/field-types/field-type.ts'
import { fieldTypeOf } from '../../trackers/field-types/field-types.ts'
import type { Element } from '../../trackers/tracker.ts'
import type { Artifact, ArtifactId } from '../artifact.ts'
import { pastLinks } from '../links/past-links.ts'
import { readableTitle } from '../reading/title.ts'
import type { Audience } from '../reading/audience.ts'
import { findPastPeople } from './past-people.ts'
import { buildPastReadContext } from './past-read-context.ts'
import { findVersions } from './find-versions.ts'
import { replayVersions } from './replay-versions.ts'

/** One version as plain text, limited to what the viewer may read now. */
export interface DescribedVersion {
  readonly xref: string
  readonly title: string | null
  readonly changes: readonly { readonly label: string; readonly before: string; readonly after: string }[]
  /** Empty if there is no comment that the viewer may read. */
  readonly comment: string
}

/** Undefined if the version shows nothing to this viewer. Throws if the viewer does not see the artifact. */
export async function describeVersion(
  audience: Audience,
  id: ArtifactId,
  version: number,
): Promise<DescribedVersion | undefined> {
  const { now, rows } = await findVersions(audience, id, { version, commentsOnly: false, order: 'asc', page: ONE })
  const [row] = rows
  const steps = await replayVersions(audience.db, now.artifact, [version])
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
  const linksOf = await pastLinks(audience, now.access, states)
  const readingAt = await buildPastReadContext(audience, now, { people, linksOf, states })
  const [was, is] = [at(step.before), at(step.after)]
  const differing = now.access.readable.filter(
    (element) => String(element.id) in step.changes && (!fieldTypeOf(element).holdsLinks || row.is_linked),
  )
  const changes = differing.map((element) => ({
    label: element.label,
    before: version === 1 ? '' : wordsOf(element, was, readingAt(was)),
    after: wordsOf(element, is, readingAt(is)),
  }))
  return {
    xref: `${now.access.tracker.item_name} #${id}`,
    title: readableTitle(now),
    changes: changes.filter(({ before, after }) => before !== after),
    comment: row.comment === null || row.comment_format === null ? '' : linesOf(row.comment_format, row.comment),
  }
}

const ONE = { limit: 1, offset: 0, after: undefined }

/** A value as plain text. */
function wordsOf(element: Element, { field_values }: Artifact, reading: ReadContext): string {
  const type = fieldTypeOf(element)
  const stored = field_values[String(element.id)]
  const texts = stored === undefined ? [] : (type.texts?.(stored) ?? [])
  if (texts.length > 0) return texts.map(({ format, content }) => toPlainText(format, content)).join(' ')
  if (type.inWords) return type.inWords(stored)
  const flat = type.flat?.(stored, element, reading) ?? null
  return Array.isArray(flat) ? flat.join(', ') : String(flat ?? '')
}

/** A text as plain lines, without markup. */
function linesOf(format: TextFormat, source: string): string {
  if (format === 'text') return source.trim()
  const broken = renderText(format, source).replaceAll(/<br ?\/?>|<\/(?:p|li|h\d|div|tr|pre|blockquote)>/g, '\n')
  return unescapeHtml(broken.replaceAll(/<[^<>]*>/g, ''))
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}
