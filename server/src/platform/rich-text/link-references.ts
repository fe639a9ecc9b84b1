import { ESCAPED, escapeHtml, unescapeHtml } from '../wire/html.ts'

export interface TextLink {
  /** Offset in the text. */
  readonly at: number
  readonly text: string
  readonly href: string
}

// Links cannot be nested, and code is shown verbatim.
const LEFT_ALONE = ['a', 'code', 'pre']
const END_OF_NAME = '> \t\r\n\f/'

const SLASH = '/'.charCodeAt(0)
const GREATER = '>'.charCodeAt(0)
const QUOTE = '"'.charCodeAt(0)
const APOSTROPHE = "'".charCodeAt(0)

/**
 * Turns those parts of the texts of safe HTML into links that `find` returns, in order. Tags, attributes, links and
 * code stay unchanged byte for byte.
 */
export function linkReferences(html: string, find: (text: string) => readonly TextLink[]): string {
  let linked = ''
  let copied = 0
  let leftAlone = 0 // Number of open elements without linking.
  let at = 0
  while (at < html.length) {
    const found = html.indexOf('<', at)
    const tag = found === -1 ? html.length : found
    if (leftAlone === 0 && tag > at) {
      const text = html.slice(at, tag)
      const withLinks = linkText(text, find)
      if (withLinks !== text) {
        linked += html.slice(copied, at) + withLinks
        copied = tag
      }
    }
    const isClosing = html.charCodeAt(tag + 1) === SLASH
    if (isLeftAlone(html, isClosing ? tag + 2 : tag + 1)) leftAlone = Math.max(0, leftAlone + (isClosing ? -1 : 1))
    at = endOfTag(html, tag)
  }
  return linked + html.slice(copied)
}

function linkText(html: string, find: (text: string) => readonly TextLink[]): string {
  const links = find(html.includes('&') ? unescapeHtml(html) : html)
  if (links.length === 0) return html
  const placeOf = escapedPlaces(html)
  let linked = ''
  let done = 0
  for (const { at, text, href } of links) {
    const begin = placeOf(at)
    const end = placeOf(at + text.length)
    if (begin < done) continue
    linked += `${html.slice(done, begin)}<a href="${escapeHtml(href)}" class="cross-reference">${html.slice(begin, end)}</a>`
    done = end
  }
  return linked + html.slice(done)
}

/** Maps text offsets to HTML offsets; offsets must be requested in ascending order. */
function escapedPlaces(html: string): (at: number) => number {
  const entities = html.matchAll(ESCAPED)
  let next = entities.next()
  let longer = 0
  return (at) => {
    while (!next.done && next.value.index - longer < at) {
      longer += next.value[0].length - 1
      next = entities.next()
    }
    return at + longer
  }
}

/** The offset after the `>` of the tag that starts here; a `>` within quotes belongs to an attribute. */
function endOfTag(html: string, begin: number): number {
  let quote = 0
  for (let at = begin; at < html.length; at += 1) {
    const code = html.charCodeAt(at)
    if (quote === 0 && code === GREATER) return at + 1
    if (quote === 0 && (code === QUOTE || code === APOSTROPHE)) quote = code
    else if (code === quote) quote = 0
  }
  return html.length
}

/** Whether the tag name that starts here is an excluded element. */
function isLeftAlone(html: string, name: number): boolean {
  return LEFT_ALONE.some((each) => html.startsWith(each, name) && END_OF_NAME.includes(html.charAt(name + each.length)))
}
