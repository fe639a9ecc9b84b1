import { labelsOf } from '../binds/labels-of.ts'
import type { Element } from '../tracker.ts'
import { findMetadata, METADATA_NAMES, metadataOf } from './bind-metadata.ts'
import { familyOf, type Meaning, meaningOfElement, namedFields, requireComparison } from './bind-names.ts'
import { meaning as meant, ofField } from './bind-problems.ts'
import type { Binding, NameScope } from './bind-scope.ts'
import { type Condition, ALWAYS_TRUE, ALWAYS_FALSE } from './condition.ts'
import { type SearchContext, type QueryLiteral, SearchFault } from './field-search.ts'
import { isNegative } from './literals.ts'
import { nearestName } from '../../platform/wire/nearest.ts'
import type { ComparisonTerm, Searchable } from './tql/syntax.ts'

/** The condition of a comparison in each of the trackers. */
export async function bindComparison(term: ComparisonTerm, names: NameScope, binding: Binding): Promise<Condition[]> {
  const meanings = meaningsOf(term.searchable, names, binding)
  const nowhere = names.accesses.map(() => ALWAYS_FALSE)
  if (!meanings) return nowhere
  const wrong = checkMetadata(term)
  if (wrong) {
    addFault(wrong, term, meanings, [], binding)
    return nowhere
  }
  const askings = names.accesses.map(({ tracker }) => binding.scope.searchContextFor(tracker))
  const outcomes: (Condition | SearchFault | undefined)[] = []
  for (const [at, asking] of askings.entries()) outcomes.push(await compareIn(meanings[at], term, asking))
  const answers = outcomes.filter((each) => each !== undefined && !(each instanceof SearchFault))
  const [fault] = outcomes.filter((each) => each instanceof SearchFault)
  if (fault && answers.length === 0) addFault(fault, term, meanings, askings, binding)
  if (term.comparator === '=' && answers.some(isPartOfText)) binding.warnings.add('= on text means contains')
  // A value known to one tracker may be unknown to another: there the comparison is false, and a negative one true.
  const forgiven = isNegative(term) ? ALWAYS_TRUE : ALWAYS_FALSE
  return outcomes.map((each) => (each instanceof SearchFault ? forgiven : (each ?? ALWAYS_FALSE)))
}

async function compareIn(
  meaning: Meaning | undefined,
  { comparator, literals }: ComparisonTerm,
  asking: SearchContext,
): Promise<Condition | SearchFault | undefined> {
  try {
    return await meaning?.compare(
      { comparator, literals: comparator === 'BETWEEN' ? literals : once(literals) },
      asking,
    )
  } catch (fault) {
    if (fault instanceof SearchFault) return fault
    throw fault
  }
}

/** Removes duplicates, so that each literal is resolved once. */
function once(literals: readonly QueryLiteral[]): QueryLiteral[] {
  return [...new Map(literals.map((literal) => [`${literal.kind} ${writtenIn(literal)}`, literal])).values()]
}

function isPartOfText(condition: Condition | SearchFault | undefined): boolean {
  return condition !== undefined && 'contains' in condition && condition.contains !== null
}

/** The meaning of a name in each tracker; undefined if it cannot be used, which is reported. */
export function meaningsOf(
  searchable: Searchable,
  names: NameScope,
  binding: Binding,
): readonly (Meaning | undefined)[] | undefined {
  const meanings =
    searchable.kind === 'field'
      ? meaningsOfField(searchable, names, binding)
      : meaningsOfMetadata(searchable, names, binding)
  for (const each of meanings ?? []) if (each?.element) binding.fields.add(each.element)
  return meanings
}

function meaningsOfMetadata({ name, position }: Searchable, { accesses }: NameScope, { problems }: Binding) {
  const metadata = findMetadata(name)
  if (metadata) return accesses.map((access) => metadata.meaningIn(access))
  problems.add({
    reason: 'query_unknown_key',
    cause: 'metadata',
    position,
    allowed: METADATA_NAMES,
    params: { name: `@${name}`, ...meant(nearestName(`@${name}`, METADATA_NAMES)) },
  })
  return undefined
}

function meaningsOfField(searchable: Searchable, { accesses, isAcross }: NameScope, binding: Binding) {
  const { name, position } = searchable
  const fields = accesses.map((access) => namedFields(access, binding.isOfPast))
  const found = fields.map((each) => each.find((element) => element.name === name))
  const elements = found.filter((element) => element !== undefined)
  const [first] = elements
  if (!first) {
    const known = [...new Set(fields.flat().map((element) => element.name))]
    const nearest = nearestName(name, [...known, ...METADATA_NAMES])
    const params = { name, ...meant(nearest) }
    binding.problems.add({ reason: 'query_unknown_key', cause: 'field', position, allowed: known, params })
    return undefined
  }
  if (isAcross && !isSameEverywhere(elements)) {
    const params = meant(metadataOf(meaningOfElement(first).sort))
    binding.problems.add({ reason: 'query_operator', cause: 'field_type', position, params, ...ofField(first) })
    return undefined
  }
  return found.map((element) => element && meaningOfElement(element))
}

function isSameEverywhere(elements: readonly Element[]): boolean {
  const isCalledOtherwise = elements.some((element) => metadataOf(meaningOfElement(element).sort) !== undefined)
  return !isCalledOtherwise && new Set(elements.map(familyOf)).size === 1
}

/** Faults that do not depend on a tracker; reported even if no tracker matches. */
function checkMetadata(term: ComparisonTerm): SearchFault | undefined {
  const metadata = term.searchable.kind === 'metadata' ? findMetadata(term.searchable.name) : undefined
  try {
    if (metadata) requireComparison(term, metadata.comparisons)
    metadata?.check?.(term)
    return undefined
  } catch (fault) {
    if (fault instanceof SearchFault) return fault
    throw fault
  }
}

function addFault(
  fault: SearchFault,
  term: ComparisonTerm,
  meanings: readonly (Meaning | undefined)[],
  askings: readonly SearchContext[],
  { problems }: Binding,
): void {
  const { reason, details } = fault
  const element = meanings.find((each) => each?.element)?.element
  const known = details.cause === 'list_value' ? labelsIn(meanings, askings) : []
  problems.add({
    reason,
    ...details,
    params: { ...meant(nearestName(String(details.params?.['value'] ?? ''), known)), ...details.params },
    position: placeOf(fault, term),
    ...(element ? ofField(element) : { name: `@${term.searchable.name}` }),
  })
}

function labelsIn(meanings: readonly (Meaning | undefined)[], askings: readonly SearchContext[]): string[] {
  return meanings.flatMap((each, at) => {
    const asking = askings[at]
    return each?.element && asking ? labelsOf(each.element, asking) : []
  })
}

/** The position of the fault in the query. */
function placeOf({ details: { cause, params } }: SearchFault, term: ComparisonTerm): number {
  if (cause === 'operator') return term.comparatorPosition
  if (cause === 'field_type') return term.position
  const value = cause === 'empty_string' ? '' : params?.['value']
  const literal = term.literals.find((each) => writtenIn(each) === value) ?? term.literals[0]
  return literal?.position ?? term.position
}

function writtenIn(literal: QueryLiteral): string {
  if (literal.kind === 'text' || literal.kind === 'number') return literal.text
  return `${literal.kind.toUpperCase()}()`
}
