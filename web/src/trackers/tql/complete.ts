import type { Tracker, TrackerField } from '@waypost/sdk/api'
import type { FieldFilter } from '../../field-types/field-type.ts'
import { fieldType } from '../../field-types/field-types.ts'
import { EQUALITY_FILTER } from '../../field-types/parts/filters.ts'
import { offeredItems } from '../../field-types/values.ts'
import { isSortable } from '../columns.ts'
import { isWord, quoted, type Token, tokenize } from './tokens.ts'

export interface Completion {
  /** The text to insert. */
  readonly insert: string
  /** The label, if it differs. */
  readonly detail?: string | undefined
}

export interface Completions {
  /** The part of the query that is replaced. */
  readonly from: number
  readonly to: number
  readonly options: readonly Completion[]
}

const MAX_SHOWN_COMPLETIONS = 10
const META = [
  '@title',
  '@description',
  '@status',
  '@assigned_to',
  '@submitted_by',
  '@submitted_on',
  '@last_update_by',
  '@last_update_date',
  '@id',
  '@comments',
]
const LINKS = [
  'WITH PARENT',
  'WITHOUT PARENT',
  'WITH CHILDREN',
  'WITHOUT CHILDREN',
  'IS LINKED TO',
  'IS LINKED FROM',
  'NOT (',
]

/** The completions at the caret. */
export function completionsAt(query: string, caret: number, tracker: Tracker): Completions {
  const tokens = tokenize(query.slice(0, caret))
  const last = tokens.at(-1)
  const isPartial = last !== undefined && last.end === caret && (last.isOpen || last.kind === 'word')
  const typed = isPartial ? last.text : ''
  const { state, name } = stateAfter(isPartial ? tokens.slice(0, -1) : tokens)
  const options = optionsOf(state, findFieldNamed(tracker, name), tracker)
  const from = isPartial ? last.start : caret
  return { from, to: caret, options: fitting(options, typed.replace(/^["']/, '').toLowerCase()) }
}

type State = 'field' | 'operator' | 'open' | 'value' | 'list' | 'comma' | 'end' | 'by' | 'order' | 'direction'

/** The parser state after these tokens, and the last named field. */
function stateAfter(tokens: readonly Token[]): { state: State; name: string } {
  let state: State = 'field'
  let name = ''
  for (const [index, token] of tokens.entries()) {
    const next = tokens[index + 1]
    if ((state === 'field' || state === 'end') && isWord(token, 'ORDER') && (!next || isWord(next, 'BY'))) state = 'by'
    else if (state === 'field' && token.kind === 'word') {
      if (isWord(token, 'WITH', 'WITHOUT', 'IS')) state = 'end'
      else if (!isWord(token, 'NOT')) {
        state = 'operator'
        name = token.text
      }
    } else state = nextState(state, token)
  }
  return { state, name }
}

function nextState(state: State, token: Token): State {
  switch (state) {
    case 'field':
      return 'field'
    case 'operator':
      if (isWord(token, 'IN', 'BETWEEN')) return 'open'
      return token.kind === 'sign' ? 'value' : 'operator'
    case 'open':
      return 'list'
    case 'value':
      return 'end'
    case 'list':
      return 'comma'
    case 'comma':
      return token.text === ',' ? 'list' : token.text === ')' ? 'end' : 'comma'
    case 'end':
      return isWord(token, 'AND', 'OR', 'WHERE') ? 'field' : 'end'
    case 'by':
      return 'order'
    case 'order':
      return 'direction'
    case 'direction':
      return token.text === ',' ? 'order' : 'direction'
    default:
      return state satisfies never
  }
}

function optionsOf(state: State, field: TrackerField | undefined, tracker: Tracker): readonly Completion[] {
  switch (state) {
    case 'field':
      return [...searchableFields(tracker).map(named), ...META.map(plain), ...LINKS.map(plain)]
    case 'operator':
      return filterOf(field).operators.map(plain)
    case 'open':
      return [plain('(')]
    case 'value':
    case 'list':
      return literalsOf(field)
    case 'comma':
      return [plain(','), plain(')')]
    case 'end':
      return ['AND', 'OR', 'ORDER BY', 'AS OF'].map(plain)
    case 'by':
      return [plain('BY')]
    case 'order':
      return [
        ...tracker.fields.filter(isSortable).map(named),
        ...['@id', '@title', '@status', '@last_update_date'].map(plain),
      ]
    case 'direction':
      return ['DESC', 'ASC', ','].map(plain)
    default:
      return state satisfies never
  }
}

/** Fields that a filter can name. */
export function searchableFields({ fields }: Tracker): TrackerField[] {
  return fields.filter((field) => fieldType(field).filter)
}

/** The field of this name, or of a semantic such as `@status`. */
export function findFieldNamed({ fields, semantics }: Tracker, name: string): TrackerField | undefined {
  const meant = { '@title': semantics.title, '@status': semantics.status, '@assigned_to': semantics.contributor }
  const semantic = name in meant ? Object.entries(meant).find(([key]) => key === name)?.[1] : undefined
  if (semantic) return fields.find(({ field_id }) => field_id === semantic.field_id)
  return (
    fields.find((field) => field.name === name) ?? fields.find((field) => fieldType(field).filter?.variable === name)
  )
}

export function filterOf(field: TrackerField | undefined): FieldFilter {
  return (field && fieldType(field).filter) ?? EQUALITY_FILTER
}

/** The literals that a field accepts. */
export function literalsOf(field: TrackerField | undefined): readonly Completion[] {
  if (!field) return []
  const { literals, isPerson } = filterOf(field)
  const values = offeredItems(field).flatMap(({ label, user_reference: person, ugroup_reference: group }) => {
    const text = group ? group.short_name : label
    const detail = person ? (person.real_name ?? undefined) : group?.label
    return text === undefined ? [] : [{ insert: quoted(text), detail }]
  })
  const mine = isPerson || field.bindings.type === 'users' ? [plain('MYSELF()')] : []
  return [...mine, ...values, ...literals.map(plain)]
}

function plain(insert: string): Completion {
  return { insert }
}

function named({ name, label }: TrackerField): Completion {
  return { insert: name, detail: label }
}

/** Prefix matches come first. */
function fitting(options: readonly Completion[], typed: string): Completion[] {
  const wordsOf = ({ insert, detail = '' }: Completion) => [
    insert.replace(/^["@]/, '').toLowerCase(),
    insert.toLowerCase(),
    detail.toLowerCase(),
  ]
  const starts = options.filter((option) => wordsOf(option).some((word) => word.startsWith(typed)))
  const holds = options.filter(
    (option) => !starts.includes(option) && wordsOf(option).some((word) => word.includes(typed)),
  )
  return [...starts, ...holds].slice(0, MAX_SHOWN_COMPLETIONS)
}
