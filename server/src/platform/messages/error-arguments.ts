import type { PhraseName } from './english.ts'
import type { Allowed, MessageDetails, WhoMay } from './reasons.ts'

/** A phrase in the language of the message. */
export type Phrase = (name: PhraseName, values?: Readonly<Record<string, string | number>>) => string

type MessageParam = NonNullable<MessageDetails['params']>[string] | undefined

/** The arguments that error messages may use. */
export const ERROR_ARGUMENTS = {
  path: ({ path }) => String(path),
  id: ({ id }) => String(id),
  name: ({ name }) => String(name),
  current_etag: ({ current_etag }) => String(current_etag),
  line: ({ line }) => String(line),
  has_line: ({ line }) => yesOrNo(line !== undefined),
  column: ({ position = 0 }) => position + 1,
  at_column: ({ position }, phrase) =>
    position === undefined ? '' : phrase('phrase.at_column', { column: position + 1 }),
  at_line: ({ line, column }, phrase) =>
    line === undefined || column === undefined ? '' : phrase('phrase.at_line', { line, column }),
  who: ({ who_may = [] }) => who_may.map(nameOf).join(', '),
  has_who: ({ who_may }) => yesOrNo(who_may !== undefined),
  /** Label and name of a field. */
  field: ({ label, name }, phrase) =>
    label === undefined ? (name ?? phrase('phrase.this_field')) : `${label} (${name})`,
  named_field: ({ name }, phrase) => name ?? phrase('phrase.for_field'),
  needed: ({ path }, phrase) => (path === undefined ? phrase('phrase.needed_field') : `\`${path}\``),
  bounds: ({ allowed }, phrase) => describeBounds(allowed, phrase),
  choices: ({ allowed }) => (hasChoices(allowed) ? `: ${allowed.map(choice).join(', ')}` : ''),
  has_choices: ({ allowed }) => yesOrNo(hasChoices(allowed)),
  expected: ({ allowed }, phrase) =>
    hasChoices(allowed) ? phrase('phrase.expected', { names: allowed.map(choice).join(', ') }) : '',
  transition: ({ params }, phrase) => describeTransition(params?.['from'], params?.['to'], phrase),
  source: ({ params }, phrase) => String(params?.['source'] ?? phrase('phrase.another_field')),
  comparator: ({ params }) => String(params?.['comparator']),
  target: ({ params }) => String(params?.['target']),
  has_rule: ({ params }) => yesOrNo(params !== undefined),
  operator: ({ params }, phrase) => String(params?.['operator'] ?? phrase('phrase.this_operator')),
  function: ({ params }, phrase) => String(params?.['value'] ?? phrase('phrase.this_function')),
  value: ({ params }) => String(params?.['value'] ?? ''),
  /** The form of a date, and a date in it. */
  format: ({ params }) => String(params?.['format']),
  example: ({ params }) => String(params?.['example']),
  /** The name that a query uses. */
  parameter: ({ params, name, path }) => `\`${String(params?.['name'] ?? name ?? path ?? '')}\``,
  suggestion: ({ nearest: closest, params }, phrase) => {
    const nearest = closest ?? params?.['did_you_mean']
    return nearest === undefined ? '.' : phrase('phrase.did_you_mean', { nearest: String(nearest) })
  },
} as const satisfies Record<string, (details: MessageDetails, phrase: Phrase) => string | number>

export function isErrorArgument(name: string): name is keyof typeof ERROR_ARGUMENTS {
  return Object.hasOwn(ERROR_ARGUMENTS, name)
}

function yesOrNo(is: boolean): string {
  return is ? 'yes' : 'no'
}

function describeBounds(allowed: Allowed | undefined, phrase: Phrase): string {
  if (!allowed || Array.isArray(allowed)) return ''
  const facts = new Map<string, unknown>(Object.entries(allowed))
  const [minimum, maximum] = [facts.get('minimum'), facts.get('maximum')]
  if (isNumber(minimum) && isNumber(maximum)) return phrase('phrase.from_to', { minimum, maximum })
  if (isNumber(minimum)) return phrase('phrase.at_least', { minimum })
  return isNumber(maximum) ? phrase('phrase.at_most', { maximum }) : ''
}

/** The refused transition of a field. Null is no value. */
function describeTransition(from: MessageParam, to: MessageParam, phrase: Phrase): string {
  if (to === undefined) return phrase('phrase.transition_unknown')
  if (to === null) return phrase('phrase.transition_to_empty')
  return from == null
    ? phrase('phrase.transition_first', { to: String(to) })
    : phrase('phrase.transition', { from: String(from), to: String(to) })
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number'
}

function hasChoices(allowed: Allowed | undefined): allowed is readonly unknown[] & Allowed {
  return Array.isArray(allowed) && allowed.length > 0
}

function choice(one: unknown): string {
  return typeof one === 'object' && one !== null && 'label' in one ? String(one.label) : String(one)
}

function nameOf(who: WhoMay): string {
  return typeof who === 'string' ? who : who.user_group
}
