import type { TrackerAccess } from '../tracker-access.ts'
import { meaning } from './bind-problems.ts'
import type { Binding, NameScope } from './bind-scope.ts'
import { type Condition, type LinkCondition, negation } from './condition.ts'
import { nearestName } from '../../platform/wire/nearest.ts'
import type { Expression, LinkForm, LinkTerm } from './tql/syntax.ts'

type BindExpression = (expression: Expression, names: NameScope, binding: Binding) => Promise<Condition>

const FORMS: Readonly<Record<LinkForm, Pick<LinkCondition, 'direction' | 'type'>>> = {
  parent: { direction: 'reverse', type: '_is_child' },
  children: { direction: 'forward', type: '_is_child' },
  linked_from: { direction: 'reverse' },
  linked_to: { direction: 'forward' },
  covered: { direction: 'forward', type: '_covered_by' },
  covering: { direction: 'reverse', type: '_covered_by' },
}

/**
 * The condition of a link term, which does not depend on the artifact's tracker. `bind` binds the expression on the
 * linked artifacts.
 */
export async function bindLink(term: LinkTerm, binding: Binding, bind: BindExpression): Promise<Condition> {
  const { form, isNot, isEvery, ends, tracker, where, type } = term
  if (isNot && tracker?.isNot)
    binding.problems.add({ reason: 'query_malformed', cause: 'double_negative', position: tracker.position })
  if (type) await requireLinkType(type, binding)
  const link: LinkCondition = {
    kind: 'link',
    ...FORMS[form],
    ...(type && { type: type.name }),
    ...(ends && { ends: [...new Set(ends.map(Number).filter(canBeId))] }),
    ...(tracker && { tracker: { name: tracker.name, isNot: tracker.isNot } }),
    ...(where && { where: await bind(where, await namesThere(tracker, binding), binding) }),
    ...(isEvery && { every: true }),
  }
  return isNot ? negation(link) : link
}

/** Ids outside the valid range are dropped: no artifact has them. */
function canBeId(id: number): boolean {
  return Number.isSafeInteger(id) && id > 0
}

async function requireLinkType({ name, position }: NonNullable<LinkTerm['type']>, binding: Binding): Promise<void> {
  const known = name === '' ? [] : await binding.scope.linkTypes()
  if (name === '' || known.includes(name)) return
  const params = { value: name, ...meaning(nearestName(name, known)) }
  binding.problems.add({ reason: 'reference_unknown', cause: 'link_type', position, allowed: known, params })
}

/** Names of the linked end are those of the given tracker, or of any tracker it can be in. */
async function namesThere(tracker: LinkTerm['tracker'], { scope }: Binding): Promise<NameScope> {
  if (tracker && !tracker.isNot) return { accesses: await scope.findAccesses(tracker.name), isAcross: false }
  const isOther = (access: TrackerAccess) => access.tracker.item_name.toLowerCase() !== tracker?.name.toLowerCase()
  return { accesses: (await scope.findAccesses(undefined)).filter(isOther), isAcross: true }
}
