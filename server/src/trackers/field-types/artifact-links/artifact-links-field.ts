import { Type } from 'typebox'
import { isRecord } from '../../../platform/wire/schema-shape.ts'
import { xmlElement } from '../../../platform/wire/xml-element.ts'
import { parseClientNumber } from '../../binds/parse-list-input.ts'
import { type QueryLiteral, SearchFault } from '../../search/field-search.ts'
import { literalText } from '../../search/literals.ts'
import { TrackerReference } from '../../schemas.ts'
import { type AskedLink, type FieldType, type LinkRequest, ValueFault, type WriteItem } from '../field-type.ts'
import { flag, flagOf } from '../properties.ts'
import { linksFromCell, storedLinks } from './stored-links.ts'

const Link = Type.Object(
  {
    id: Type.Integer(),
    uri: Type.String(),
    tracker: TrackerReference,
    type: Type.Union([Type.String(), Type.Null()], { description: 'Empty: without a type.' }),
  },
  { title: 'ArtifactLink' },
)

/** Links to other artifacts, stored as target -> type. Reading shows only the artifacts that the viewer may see. */
export const artifactLinksField: FieldType = {
  type: 'art_link',
  kind: 'field',
  schemaName: 'ArtifactLinks',
  properties: Type.Object({ can_edit_reverse_links: flag(1) }, { additionalProperties: false }),
  isSingle: true,
  needs: ['links'],
  holdsLinks: true,
  isWritable: true,
  canBeRequired: true,

  describe: ({ properties }, { linkTypes }) => ({
    specific_properties: { can_edit_reverse_links: flagOf(properties['can_edit_reverse_links']) },
    extra: {
      allowed_types: linkTypes.map(({ shortname, forward_label, reverse_label }) => ({
        shortname,
        forward_label,
        reverse_label,
      })),
    },
  }),

  read: (_stored, _element, { links }) => ({ links: links.forward, reverse_links: links.reverse }),
  readSchema: { links: Type.Array(Link), reverse_links: Type.Array(Link) },

  writeSchema: {
    links: Type.Optional(
      Type.Array(Type.Object({ id: Type.Integer(), type: Type.Optional(Type.Union([Type.String(), Type.Null()])) }), {
        description: 'All links from the artifact.',
      }),
    ),
    all_links: Type.Optional(
      Type.Array(
        Type.Object({ id: Type.Integer(), direction: Type.Enum(['forward', 'reverse']), type: Type.String() }),
        { description: 'All links from and to the artifact; excludes the others.' },
      ),
    ),
    parent: Type.Optional(Type.Object({ id: Type.Integer() })),
  },
  write: (item, element, writing) => writing.link(requestIn(item), element),
  isEmpty: (stored) => Object.keys(storedLinks(stored)).length === 0,
  isSame(stored, given) {
    const [one, other] = [storedLinks(stored), storedLinks(given)]
    const targets = Object.keys(one)
    return targets.length === Object.keys(other).length && targets.every((target) => one[target] === other[target])
  },
  search: {
    comparisons: ['='],
    async compare({ literals }) {
      return { kind: 'link', direction: 'forward', ends: literals.map(endIn) }
    },
  },
  flat: (_stored, _element, { links }) => links.forward.map(({ id }) => String(id)),
  fromCell: linksFromCell,
  migrate(stored, _, to, migrating) {
    if (to.type !== 'art_link') return undefined
    const links = Object.entries(storedLinks(stored))
    return {
      value: Object.fromEntries(links.map(([target, type]) => [target, migrating.usesLinkType(type) ? type : ''])),
      isPartial: false,
    }
  },
  archive: (stored) => ({
    attributes: { type: 'art_link' },
    content: Object.entries(storedLinks(stored)).map(([target, nature]) => xmlElement('value', { nature }, target)),
  }),
}

/** The artifact id of a comparison; the artifact need not exist. */
function endIn(literal: QueryLiteral): number {
  const text = literalText(literal)
  const id = parseClientNumber(text)
  if (id === undefined) throw new SearchFault('value_invalid', { cause: 'number', params: { value: text } })
  return id
}

/** The request, which uses exactly one of the accepted forms. Null counts as absent. */
function requestIn(item: WriteItem): LinkRequest {
  const all = item.all_links ?? undefined
  const [links, path] = linksIn(item)
  const parent = item.parent ?? undefined
  if (all !== undefined) {
    if (links !== undefined || parent !== undefined)
      throw new ValueFault('value_invalid', { path: 'all_links', cause: 'link_forms_conflict' })
    return { all_links: lastOfEach(listed(all, 'all_links').flatMap(directedLink), directionAndId) }
  }
  const asked = links === undefined ? undefined : lastOfEach(listed(links, path).map(forwardLink), ({ id }) => id)
  if (parent === undefined) {
    if (asked === undefined) throw new ValueFault('value_invalid', { rule: 'required', cause: 'link_form_missing' })
    return { links: asked }
  }
  const from = { id: idIn(parent, 'parent.id', 'link_source_unknown'), path: 'parent.id' }
  return asked === undefined ? { parent: from } : { links: asked, parent: from }
}

/** An item by name may be a plain list of artifact ids. */
function linksIn({ links, value, byName }: WriteItem): [links: unknown, path: string] {
  const given = links ?? undefined
  return given === undefined && byName ? [value ?? undefined, 'value'] : [given, 'links']
}

interface Entry {
  readonly given: unknown
  readonly path: string
}

function listed(given: unknown, path: string): Entry[] {
  if (!Array.isArray(given)) throw new ValueFault('value_invalid', { path, rule: 'type', cause: 'not_an_array' })
  return given.map((each: unknown, index) => ({ given: each, path: `${path}[${index}]` }))
}

function forwardLink({ given, path }: Entry): AskedLink {
  const type = isRecord(given) ? given['type'] : undefined
  return { ...targetOf({ given, path }), type: typeof type === 'string' ? type : '' }
}

function directedLink({ given, path }: Entry): (AskedLink & { direction: 'forward' | 'reverse' })[] {
  const { direction, type } = isRecord(given) ? given : {}
  // The API ignores links with an unknown direction.
  if (direction !== 'forward' && direction !== 'reverse') return []
  if (typeof type !== 'string')
    throw new ValueFault('value_invalid', { path: `${path}.type`, rule: 'required', cause: 'link_type_missing' })
  const cause = direction === 'forward' ? 'link_target_unknown' : 'link_source_unknown'
  return [{ id: idIn(given, `${path}.id`, cause), path: `${path}.id`, type, direction }]
}

function targetOf({ given, path }: Entry): Pick<AskedLink, 'id' | 'path'> {
  const place = isRecord(given) ? `${path}.id` : path
  return { id: idIn(given, place, 'link_target_unknown'), path: place }
}

/** The given id, or the `id` member of the given object. */
function idIn(given: unknown, path: string, cause: 'link_target_unknown' | 'link_source_unknown'): number {
  const id = parseClientNumber(isRecord(given) ? given['id'] : given)
  if (id === undefined || id < 1) throw new ValueFault('reference_unknown', { path, rule: 'exists', cause })
  return id
}

function directionAndId({ id, direction }: { id: number; direction: string }): string {
  return `${direction} ${id}`
}

/** Two artifacts have at most one link per direction; the last one given wins. */
function lastOfEach<T>(entries: readonly T[], key: (entry: T) => string | number): T[] {
  return [...new Map(entries.map((entry) => [key(entry), entry])).values()]
}
