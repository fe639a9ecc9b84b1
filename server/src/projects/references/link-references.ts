import { linkReferences, type TextLink } from '../../platform/texts/link-texts.ts'
import { gotoPath } from './goto-path.ts'
import { argumentsOf, type ParsedReference, parseReferences } from './parse-references.ts'
import { kindOf, type ReferenceKind } from './reference-kind.ts'

export interface KnownNames {
  /** Keywords with one argument that the project has beside the kinds, in lower case. */
  readonly itemNames?: ReadonlySet<string>
  /** Ids of projects by short name, in lower case. A reference that names any other by its short name is no link. */
  readonly projects?: ReadonlyMap<string, number>
}

/**
 * Safe HTML of a project's text, its references turned into links. Nothing is looked up: where a link leads, and who may
 * follow it, is found out when somebody does.
 */
export function linkReferencesOf(
  kinds: readonly ReferenceKind[],
  project: { readonly id: number },
  html: string,
  names: KnownNames = {},
): string {
  if (!html.includes('#')) return html
  return linkReferences(html, (text) => {
    if (!text.includes('#')) return []
    return parseReferences(text).flatMap((reference) => linkOf(kinds, project, reference, names))
  })
}

function linkOf(
  kinds: readonly ReferenceKind[],
  project: { readonly id: number },
  reference: ParsedReference,
  { itemNames, projects }: KnownNames,
): TextLink[] {
  const { at, text, keyword, value } = reference
  const { length } = argumentsOf(reference)
  const isKnown = (length === 1 && itemNames?.has(keyword)) || kindOf(kinds, keyword, length)
  const target = reference.project === '' ? project.id : projectNamed(reference.project, projects)
  return isKnown && target !== undefined ? [{ at, text, href: gotoPath(keyword, value, target) }] : []
}

/** A short name of digits gives way to an id. */
function projectNamed(name: string, projects: KnownNames['projects']): number | undefined {
  return /^[1-9]\d{0,14}$/.test(name) ? Number(name) : projects?.get(name.toLowerCase())
}
