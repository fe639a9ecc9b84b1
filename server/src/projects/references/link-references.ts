import { linkReferences, type TextLink } from '../../platform/rich-text/link-references.ts'
import { gotoPath } from './goto-path.ts'
import { referenceArguments, type ParsedReference, parseReferences } from './parse-references.ts'
import { findReferenceKind, type ReferenceKind } from './reference-kind.ts'
import { parseSourceKeys } from './source-keys.ts'

export interface KnownNames {
  /** The project's own keywords with one argument, in lower case. */
  readonly itemNames?: ReadonlySet<string>
  /** Project ids by lower-case short name. References to other short names do not become links. */
  readonly projects?: ReadonlyMap<string, number>
  /** Paths by source key of an imported artifact. Other keys do not become links. */
  readonly keys?: ReadonlyMap<string, string>
}

/**
 * Turns the references in sanitized HTML of a project into links. No lookups: target and permission are resolved when a
 * link is followed.
 */
export function linkProjectReferences(
  kinds: readonly ReferenceKind[],
  project: { readonly id: number },
  html: string,
  names: KnownNames = {},
): string {
  const { keys } = names
  const hasKeys = keys !== undefined && keys.size > 0
  if (!html.includes('#') && !hasKeys) return html
  return linkReferences(html, (text) => {
    const links = text.includes('#')
      ? parseReferences(text).flatMap((reference) => toTextLinks(kinds, project, reference, names))
      : []
    return hasKeys ? [...links, ...toKeyLinks(text, keys)].toSorted((one, other) => one.at - other.at) : links
  })
}

function toKeyLinks(text: string, keys: ReadonlyMap<string, string>): TextLink[] {
  return parseSourceKeys(text).flatMap(({ at, key }) => {
    const href = keys.get(key)
    return href === undefined ? [] : [{ at, text: key, href }]
  })
}

function toTextLinks(
  kinds: readonly ReferenceKind[],
  project: { readonly id: number },
  reference: ParsedReference,
  { itemNames, projects }: KnownNames,
): TextLink[] {
  const { at, text, keyword, value } = reference
  const { length } = referenceArguments(reference)
  const isKnown = (length === 1 && itemNames?.has(keyword)) || findReferenceKind(kinds, keyword, length)
  const target = reference.project === '' ? project.id : resolveProjectName(reference.project, projects)
  return isKnown && target !== undefined ? [{ at, text, href: gotoPath(keyword, value, target) }] : []
}

/** An id takes precedence over a numeric short name. */
function resolveProjectName(name: string, projects: KnownNames['projects']): number | undefined {
  return /^[1-9]\d{0,14}$/.test(name) ? Number(name) : projects?.get(name.toLowerCase())
}
