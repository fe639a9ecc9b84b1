import { type Static, Type } from 'typebox'
import { cutPage, type Pagination } from '../../platform/http/pages.ts'
import type { Param } from '../../platform/http/route.ts'
import type { FoundLinkType } from './find-link-type.ts'

const MAX_LABEL_LENGTH = 255

/** A label of one direction, as a site administrator gives it. */
export const LinkTypeLabel = Type.String({ trim: true, minLength: 1, maxLength: MAX_LABEL_LENGTH })

const members = {
  shortname: Type.String({ description: 'The `type` of links. It never changes.' }),
  uri: Type.String(),
  forward_label: Type.String({ description: 'The label on the source artifact of a link.' }),
  reverse_label: Type.String({ description: 'The label on its target.' }),
  is_system: Type.Boolean({ description: 'Made by the platform: it cannot be changed, disabled or deleted.' }),
  is_reserved: Type.Boolean({ description: 'Only the platform writes links of this type.' }),
}

export const LinkTypeAnswer = Type.Object(members, { title: 'LinkType' })

export const ProjectLinkType = Type.Object(
  { ...members, enabled: Type.Boolean({ description: 'Whether new links of this type can be made in the project.' }) },
  { title: 'ProjectLinkType' },
)

export const LINK_TYPE_PAGES = { default: 50, min: 0, max: 1000 }

/** An invalid name is treated as unknown. */
export const linkTypeParam: Param<string> = {
  schema: Type.String({ description: 'The short name of the link type.' }),
  parse: (text) => text,
}

export function representLinkType({
  shortname,
  forward_label,
  reverse_label,
  is_system,
  is_reserved,
}: FoundLinkType): Static<typeof LinkTypeAnswer> {
  return { shortname, uri: `link_types/${shortname}`, forward_label, reverse_label, is_system, is_reserved }
}

export function representProjectLinkType(
  project: number,
  type: FoundLinkType & { readonly is_enabled: boolean },
): Static<typeof ProjectLinkType> {
  const uri = `projects/${project}/link_types/${type.shortname}`
  return { ...representLinkType(type), uri, enabled: type.is_enabled }
}

/** A page of all types: there are few, and they are read as a whole. */
export function cutLinkTypes<Type extends FoundLinkType>(types: readonly Type[], page: Pagination) {
  const { after, offset, limit } = page
  const from = after ? types.findIndex(({ shortname }) => shortname === after[0]) + 1 : offset
  return { ...cutPage(types.slice(from), limit, ({ shortname }) => [shortname]), size: types.length }
}
