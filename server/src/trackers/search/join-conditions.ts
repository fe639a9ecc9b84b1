import { type Condition, EVERYTHING, NOTHING } from './condition.ts'

/** All of them, without those that say nothing. */
export function joinAll(of: readonly Condition[]): Condition {
  const left = of.filter((each) => !isEverything(each))
  if (left.some(isNothing)) return NOTHING
  return left.length === 1 && left[0] ? left[0] : { kind: 'all', of: left }
}

/** One of them, without those that are never true. */
export function joinAny(of: readonly Condition[]): Condition {
  const left = of.filter((each) => !isNothing(each))
  if (left.some(isEverything)) return EVERYTHING
  return left.length === 1 && left[0] ? left[0] : { kind: 'any', of: left }
}

export function negate(of: Condition): Condition {
  if (isNothing(of)) return EVERYTHING
  return isEverything(of) ? NOTHING : { kind: 'not', of }
}

function isEverything(condition: Condition): boolean {
  return condition.kind === 'all' && condition.of.length === 0
}

function isNothing(condition: Condition): boolean {
  return condition.kind === 'any' && condition.of.length === 0
}
