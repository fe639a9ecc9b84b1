import type { Value } from '@waypost/sdk/api'

/** A stored value, by what there is to show. */
export type Shown =
  | { readonly kind: 'empty' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'rich'; readonly html: string; readonly source: string; readonly isHtml: boolean }
  | { readonly kind: 'number'; readonly number: number; readonly isSum: boolean }
  | { readonly kind: 'day'; readonly day: string }
  | { readonly kind: 'moment'; readonly at: string }
  | { readonly kind: 'choices'; readonly choices: readonly Choice[] }
  | { readonly kind: 'people'; readonly people: readonly Person[] }
  | { readonly kind: 'files'; readonly files: readonly Attachment[] }
  | { readonly kind: 'links'; readonly links: readonly Linked[] }
  | { readonly kind: 'references'; readonly references: readonly Reference[] }
  | { readonly kind: 'burndown'; readonly points: readonly { readonly day: string; readonly left: number }[] }

export interface Choice {
  readonly id: number | string
  readonly label: string
  /** A name of the palette, or `#rrggbb`. */
  readonly color: string | undefined
}

export interface Person {
  readonly id: number
  readonly name: string
  readonly login: string
}

export interface Attachment {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly type: string
  readonly size: number
  readonly url: string
  readonly previewUrl: string | undefined
}

export interface Linked {
  readonly id: number
  readonly tracker: string
  readonly color: string | undefined
  readonly type: string
  readonly direction: 'forward' | 'reverse'
}

export interface Reference {
  readonly ref: string
  readonly url: string
}

const EMPTY: Shown = { kind: 'empty' }

/** What the server says a field holds; undefined: it holds nothing. */
export function readValue(value: Value | undefined | null): Shown {
  if (!value) return EMPTY
  const { value: given } = value
  switch (value.type) {
    case 'text':
      return readText(value)
    case 'date':
      return readDate(given, value['is_time_displayed'] === true)
    case 'subon':
    case 'lud':
      return readDate(given, true)
    case 'sb':
    case 'rb':
    case 'msb':
    case 'cb':
      return readList(recordsIn(value['values']))
    case 'tbl':
      return readList(recordsIn(value['bind_value_objects']))
    case 'subby':
    case 'luby':
      return readList(recordsIn([given]))
    case 'perm':
      return readChoices(stringsIn(value['granted_groups']).map((label) => ({ id: label, label, color: undefined })))
    case 'file':
      return readFiles(recordsIn(value['file_descriptions']))
    case 'art_link':
      return readLinks(recordsIn(value['links']), recordsIn(value['reverse_links']))
    case 'cross':
      return readReferences(recordsIn(given))
    case 'computed':
      return readNumber(
        value['is_autocomputed'] === false ? value['manual_value'] : given,
        value['is_autocomputed'] === true,
      )
    case 'burndown':
      return readBurndown(given)
    default:
      return typeof given === 'number' ? readNumber(given, false) : readLine(given)
  }
}

function readLine(given: unknown): Shown {
  return typeof given === 'string' && given !== '' ? { kind: 'text', text: given } : EMPTY
}

function readText(value: Value): Shown {
  const { value: given, commonmark, post_processed_value: html } = value
  if (typeof given !== 'string' || given === '') return EMPTY
  const isHtml = value['format'] === 'html' && typeof commonmark !== 'string'
  return {
    kind: 'rich',
    html: typeof html === 'string' ? html : '',
    source: typeof commonmark === 'string' ? commonmark : given,
    isHtml,
  }
}

function readNumber(given: unknown, isSum: boolean): Shown {
  return typeof given === 'number' ? { kind: 'number', number: given, isSum } : EMPTY
}

/** A day is no instant: it is taken as written, wherever the reader is. */
function readDate(given: unknown, hasTime: boolean): Shown {
  if (typeof given !== 'string' || given === '') return EMPTY
  return hasTime ? { kind: 'moment', at: given } : { kind: 'day', day: given.slice(0, 10) }
}

function readList(items: readonly Fields[]): Shown {
  const people = items.flatMap(personOf)
  if (people.length > 0) return { kind: 'people', people }
  return readChoices(items.flatMap(choiceOf))
}

function readChoices(choices: readonly Choice[]): Shown {
  return choices.length === 0 ? EMPTY : { kind: 'choices', choices }
}

/** Nobody is an anonymous person, whose id is null. */
function personOf({ id, username, real_name, display_name }: Fields): Person[] {
  if (typeof id !== 'number' || typeof username !== 'string') return []
  const name = [real_name, display_name].find((each) => typeof each === 'string' && each !== '')
  return [{ id, name: typeof name === 'string' ? name : username, login: username }]
}

function choiceOf({ id, label, color, tlp_color }: Fields): Choice[] {
  if ((typeof id !== 'number' && typeof id !== 'string') || typeof label !== 'string') return []
  return [{ id, label, color: typeof tlp_color === 'string' ? tlp_color : hexOf(color) }]
}

function hexOf(color: unknown): string | undefined {
  if (!isFields(color)) return undefined
  const parts = [color['r'], color['g'], color['b']].map((part) => Number(part).toString(16).padStart(2, '0'))
  return `#${parts.join('')}`
}

function readFiles(items: readonly Fields[]): Shown {
  const files = items.flatMap(({ id, name, description, type, size, html_url, html_preview_url: preview }) =>
    typeof id === 'number' && typeof name === 'string' && typeof html_url === 'string'
      ? [
          {
            id,
            name,
            description: typeof description === 'string' ? description : '',
            type: typeof type === 'string' ? type : '',
            size: typeof size === 'number' ? size : 0,
            url: html_url,
            previewUrl: typeof preview === 'string' ? preview : undefined,
          },
        ]
      : [],
  )
  return files.length === 0 ? EMPTY : { kind: 'files', files }
}

function readLinks(forward: readonly Fields[], reverse: readonly Fields[]): Shown {
  const links = [
    ...forward.flatMap((each) => linkOf(each, 'forward')),
    ...reverse.flatMap((each) => linkOf(each, 'reverse')),
  ]
  return links.length === 0 ? EMPTY : { kind: 'links', links }
}

function linkOf({ id, tracker, type }: Fields, direction: Linked['direction']): Linked[] {
  if (typeof id !== 'number' || !isFields(tracker) || typeof tracker['label'] !== 'string') return []
  const color = typeof tracker['color'] === 'string' ? tracker['color'] : undefined
  return [{ id, tracker: tracker['label'], color, type: typeof type === 'string' ? type : '', direction }]
}

function readReferences(items: readonly Fields[]): Shown {
  const references = items.flatMap(({ ref, url }) =>
    typeof ref === 'string' && typeof url === 'string' ? [{ ref, url }] : [],
  )
  return references.length === 0 ? EMPTY : { kind: 'references', references }
}

function readBurndown(given: unknown): Shown {
  const points = recordsIn(isFields(given) ? given['points_with_date'] : []).flatMap(
    ({ date, remaining_effort: left }) =>
      typeof date === 'string' && typeof left === 'number' ? [{ day: date.slice(0, 10), left }] : [],
  )
  return points.length === 0 ? EMPTY : { kind: 'burndown', points }
}

type Fields = Readonly<Record<string, unknown>>

export function isFields(given: unknown): given is Fields {
  return typeof given === 'object' && given !== null && !Array.isArray(given)
}

export function recordsIn(given: unknown): Fields[] {
  return Array.isArray(given) ? given.filter(isFields) : []
}

function stringsIn(given: unknown): string[] {
  return Array.isArray(given) ? given.filter((each) => typeof each === 'string') : []
}
