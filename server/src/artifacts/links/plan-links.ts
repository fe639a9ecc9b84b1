import { suggestName } from '../../platform/wire/nearest.ts'
import {
  type AskedLink,
  type LinkRequest,
  type StoredLinks,
  ValueFault,
} from '../../trackers/field-types/field-type.ts'
import type { LinkTypeRule } from '../../trackers/link-types/link-type-rules.ts'
import type { LinkRow } from '../reading/look-rows.ts'
import type { LinkEnd } from './find-link-ends.ts'
import { CHILD } from './link-field.ts'
import type { LinkPlanning, ReverseLink } from './link-planning.ts'
import { requireNoCycle } from './require-no-cycle.ts'
import { requireWritableSource } from './require-source.ts'

interface LinkPlan {
  readonly forward: StoredLinks
  readonly reverse: readonly ReverseLink[]
}

/**
 * Validates the request against existing artifacts and link types. Links that the caller cannot see are always kept.
 */
export async function planLinks(planning: LinkPlanning, request: LinkRequest): Promise<LinkPlan> {
  const asked = forwardOf(request)
  const parents = reverseOf(request)
  const removed = removedOf(planning, request, parents)
  const named = [...(asked ?? []), ...parents, ...removed]
  const ends = await planning.lookups.findEnds(named.map(({ id }) => id))
  const forward = asked ? await planForward(planning, asked, ends) : planning.stored
  const reverse = await planReverse(planning, parents, removed, ends)
  const [first] = reverse
  if (first && 'all_links' in request && !planning.editsReverse)
    throw new ValueFault('field_not_writable', { cause: 'reverse_links_closed', path: first.path })
  await requireNoCycle(planning, forward, reverse, asked ?? [])
  return { forward, reverse }
}

function forwardOf(request: LinkRequest): readonly AskedLink[] | undefined {
  if ('all_links' in request) return request.all_links.filter(({ direction }) => direction === 'forward')
  return 'links' in request ? request.links : undefined
}

function reverseOf(request: LinkRequest): readonly AskedLink[] {
  if ('all_links' in request) return request.all_links.filter(({ direction }) => direction === 'reverse')
  return request.parent ? [{ ...request.parent, type: CHILD }] : []
}

/** The request is the full set in both directions: other reverse links are removed. */
function removedOf(
  { found, editsReverse }: LinkPlanning,
  request: LinkRequest,
  kept: readonly AskedLink[],
): readonly LinkRow[] {
  if (!('all_links' in request) || !editsReverse) return []
  return (found?.reverse ?? []).filter(({ id }) => !kept.some((link) => link.id === id))
}

async function planForward(
  planning: LinkPlanning,
  asked: readonly AskedLink[],
  ends: ReadonlyMap<number, LinkEnd>,
): Promise<StoredLinks> {
  const { stored, found, project_id } = planning
  const rules = await planning.lookups.linkTypes(project_id)
  const visible = new Set((found?.forward ?? []).map(({ id }) => String(id)))
  const forward: Record<string, string> = {}
  for (const [target, type] of Object.entries(stored)) if (!visible.has(target)) forward[target] = type
  for (const link of asked) {
    const end = endOf(planning, ends, link, 'link_target_unknown')
    const present = stored[String(link.id)]
    forward[String(link.id)] = link.type
    if (present === link.type) continue // An existing link may stay, even if it would be refused today.
    requireType(rules, link, present)
    if (!end.is_active) throw new ValueFault('value_not_allowed', { cause: 'link_target_inactive', path: link.path })
  }
  for (const target of visible) {
    const type = stored[target]
    if (type !== undefined && forward[target] === undefined) requireRemovable(rules, type, 'links')
  }
  return forward
}

async function planReverse(
  planning: LinkPlanning,
  asked: readonly AskedLink[],
  removed: readonly LinkRow[],
  ends: ReadonlyMap<number, LinkEnd>,
): Promise<readonly ReverseLink[]> {
  const present = new Map((planning.found?.reverse ?? []).map((link) => [Number(link.id), link.type]))
  const planned: ReverseLink[] = []
  for (const link of asked) {
    const source = endOf(planning, ends, link, 'link_source_unknown')
    if (present.get(link.id) === link.type) continue
    requireType(await planning.lookups.linkTypes(source.project_id), link, present.get(link.id))
    await requireWritableSource(planning, source, { type: link.type, path: link.path })
    planned.push({ source: source.id, type: link.type, path: link.path })
  }
  for (const { id, type } of removed) {
    const source = endOf(planning, ends, { id, path: 'all_links' }, 'link_source_unknown')
    requireRemovable(await planning.lookups.linkTypes(source.project_id), type, 'all_links')
    await requireWritableSource(planning, source, { type: null, path: 'all_links' })
    planned.push({ source: source.id, type: null, path: 'all_links' })
  }
  return planned
}

function endOf(
  { found }: LinkPlanning,
  ends: ReadonlyMap<number, LinkEnd>,
  { id, path }: Pick<AskedLink, 'id' | 'path'>,
  cause: 'link_target_unknown' | 'link_source_unknown',
): LinkEnd {
  if (found?.artifact.id === id) throw new ValueFault('value_not_allowed', { cause: 'link_to_self', path })
  const end = ends.get(id)
  if (!end) throw new ValueFault('reference_unknown', { cause, path, params: { id } })
  return end
}

/** `present`: the current type of the link. */
function requireType(
  rules: ReadonlyMap<string, LinkTypeRule>,
  { type, path }: AskedLink,
  present: string | undefined,
): void {
  if (present !== undefined) requireRemovable(rules, present, path)
  if (type === '') return
  const rule = rules.get(type)
  if (rule && isUsable(rule)) return
  const allowed = [...rules.values()].filter(isUsable).map(({ shortname }) => shortname)
  const details = {
    path: path.replace(/(?:\.id)?$/, '.type'),
    params: { value: type },
    allowed: allowed.slice(0, MAX_LISTED_TYPES),
  }
  if (!rule)
    throw new ValueFault('reference_unknown', { ...details, cause: 'link_type_unknown', ...suggestName(type, allowed) })
  throw new ValueFault('value_not_allowed', {
    ...details,
    cause: rule.is_reserved ? 'link_type_reserved' : 'link_type_disabled',
  })
}

const MAX_LISTED_TYPES = 50

function isUsable({ is_reserved, is_disabled }: LinkTypeRule): boolean {
  return !is_reserved && !is_disabled
}

/** Users cannot remove links of a reserved type. */
function requireRemovable(rules: ReadonlyMap<string, LinkTypeRule>, type: string, path: string): void {
  if (rules.get(type)?.is_reserved) throw new ValueFault('value_not_allowed', { cause: 'link_type_reserved', path })
}
