import type { Tracker, TrackerField } from '@waypost/sdk/api'
import { recordsIn } from '../../artifacts/read-value.ts'
import { isSortable } from '../columns.ts'
import { isWord, quoted, type Token, tokensOf } from './tokens.ts'

export interface Completion {
  /** What is put into the query. */
  readonly insert: string
  /** What people call it, where that is something else. */
  readonly detail?: string | undefined
}

export interface Completions {
  /** The part of the query that is replaced. */
  readonly from: number
  readonly to: number
  readonly options: readonly Completion[]
}

const SHOWN = 10
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
const ORDERED = ['int', 'float', 'aid', 'atid', 'date', 'subon', 'lud']
const LISTS = ['sb', 'rb', 'msb', 'cb', 'tbl']
const PEOPLE = ['subby', 'luby']
const DATES = ['date', 'subon', 'lud']
const NOT_SEARCHED = ['perm', 'cross', 'burndown', 'burnup', 'computed', 'priority']

/** What may stand at this place. */
export function completionsAt(query: string, caret: number, tracker: Tracker): Completions {
  const tokens = tokensOf(query.slice(0, caret))
  const last = tokens.at(-1)
  const isPartial = last !== undefined && last.end === caret && (last.isOpen || last.kind === 'word')
  const typed = isPartial ? last.text : ''
  const { state, name } = stateAfter(isPartial ? tokens.slice(0, -1) : tokens)
  const options = optionsOf(state, fieldOf(tracker, name), tracker)
  const from = isPartial ? last.start : caret
  return { from, to: caret, options: fitting(options, typed.replace(/^["']/, '').toLowerCase()) }
}

type State = 'field' | 'operator' | 'open' | 'value' | 'list' | 'comma' | 'end' | 'by' | 'order' | 'direction'

/** What is expected behind these words, and the field that was named last. */
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
    } else state = stepOf(state, token)
  }
  return { state, name }
}

function stepOf(state: State, token: Token): State {
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
      return [...searched(tracker).map(named), ...META.map(plain), ...LINKS.map(plain)]
    case 'operator':
      return operatorsOf(field).map(plain)
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
export function searched({ fields }: Tracker): TrackerField[] {
  return fields.filter(
    ({ type, values }) =>
      !NOT_SEARCHED.includes(type) &&
      (values !== null || !['fieldset', 'column', 'linebreak', 'separator', 'staticrichtext'].includes(type)),
  )
}

/** The field of this name, or that which the tracker means by `@status` and the like. */
export function fieldOf({ fields, semantics }: Tracker, name: string): TrackerField | undefined {
  const meant = { '@title': semantics.title, '@status': semantics.status, '@assigned_to': semantics.contributor }
  const semantic = name in meant ? Object.entries(meant).find(([key]) => key === name)?.[1] : undefined
  if (semantic) return fields.find(({ field_id }) => field_id === semantic.field_id)
  const type = { '@submitted_on': 'subon', '@last_update_date': 'lud', '@submitted_by': 'subby', '@id': 'aid' }
  const kind = Object.entries(type).find(([key]) => key === name)?.[1]
  return fields.find((field) => field.name === name) ?? fields.find((field) => field.type === kind)
}

export function operatorsOf(field: TrackerField | undefined): readonly string[] {
  const type = field?.type ?? ''
  if (ORDERED.includes(type)) return ['=', '!=', '<', '<=', '>', '>=', 'BETWEEN(']
  if (LISTS.includes(type) || PEOPLE.includes(type)) return ['=', '!=', 'IN (', 'NOT IN (']
  return ['=', '!=']
}

/** What a value of this field can be. */
export function literalsOf(field: TrackerField | undefined): readonly Completion[] {
  if (!field) return []
  const values = recordsIn(field.values).flatMap(({ label, user_reference: user, ugroup_reference: group }) => {
    const [person] = recordsIn([user])
    const [many] = recordsIn([group])
    const text = many ? many['short_name'] : label
    const detail = person ? String(person['real_name']) : many ? String(many['label']) : undefined
    return typeof text === 'string' ? [{ insert: quoted(text), detail }] : []
  })
  const isPeople = PEOPLE.includes(field.type) || field.bindings.type === 'users'
  const mine = isPeople ? [plain('MYSELF()')] : []
  const moments = DATES.includes(field.type) ? ['NOW()', 'NOW() - 1w', 'NOW() - 1m'].map(plain) : []
  const nothing = PEOPLE.includes(field.type) || DATES.includes(field.type) ? [] : [plain('""')]
  return [...mine, ...values, ...moments, ...nothing]
}

function plain(insert: string): Completion {
  return { insert }
}

function named({ name, label }: TrackerField): Completion {
  return { insert: name, detail: label }
}

/** Those that begin so come first. */
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
  return [...starts, ...holds].slice(0, SHOWN)
}
