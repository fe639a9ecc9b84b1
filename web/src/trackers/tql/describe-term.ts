import type { Tracker } from '@waypost/sdk/api'
import { text } from '../messages.ts'
import { findFieldNamed, literalsOf } from './complete.ts'
import { wordOfTerm } from './plain-words.ts'
import { isWord, tokenize } from './tokens.ts'

/** A condition with the labels of the tracker; a complex one is returned unchanged. */
export function describeTerm(term: string, tracker: Tracker): string {
  const said = wordOfTerm(term, tracker)
  if (said !== undefined) return text('filter.contains', { word: said })
  const [name, first, ...rest] = tokenize(term)
  const field = name && findFieldNamed(tracker, name.text)
  if (!name || !first || name.kind !== 'word') return term
  if (name.text === '@status' && rest[0] && isWord(rest[0], 'OPEN'))
    return text(first.text === '=' ? 'filter.is_open' : 'filter.is_closed')
  if (!field) return term
  const isNot = first.text === '!=' || isWord(first, 'NOT')
  const values = rest.filter(({ kind }) => kind === 'text' || kind === 'number')
  const calls = rest.filter(
    ({ kind, text: word }) => kind === 'word' && !isWord({ kind, text: word, start: 0, end: 0, isOpen: false }, 'IN'),
  )
  if (calls.length > 0 && !(calls.length === 1 && calls[0]?.text.toUpperCase() === 'MYSELF')) return term
  const literals = literalsOf(field)
  const names = [
    ...calls.map(() => text('filter.me')),
    ...values.map(({ text: written }) => {
      const known = literals.find(({ insert }) => insert === written)?.detail
      return known ?? written.replaceAll(/^["']|["']$/g, '').replaceAll(/\\(.)/g, '$1')
    }),
  ]
  const isEmpty = names.length === 1 && names[0] === ''
  if (isEmpty) return text(isNot ? 'filter.filled' : 'filter.empty', { field: field.label })
  const sign = isWord(first, 'BETWEEN')
    ? text('filter.between')
    : isSame(first.text)
      ? isNot
        ? text('filter.not')
        : ':'
      : first.text
  const joined = names.join(isWord(first, 'BETWEEN') ? ' – ' : ', ')
  return sign === ':' ? `${field.label}: ${joined}` : `${field.label} ${sign} ${joined}`
}

function isSame(sign: string): boolean {
  return ['=', '!=', 'IN', 'NOT'].includes(sign.toUpperCase())
}
