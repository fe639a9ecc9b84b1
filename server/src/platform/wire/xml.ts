import { setImmediate } from 'node:timers/promises'
import { SaxesParser } from 'saxes'
import { ApiError } from '../messages/errors.ts'

const MAX_DEPTH = 64
const MAX_ATTRIBUTES = 64 // Per element; only `key` has a meaning.
// Each mark costs as much as a word of plain text, and an element is also a value to validate.
const MAX_MARKS = { '&': 250_000, '<': 36_000 }
const MAX_HYPHENS = 500_000 // In comments: the parser joins a text of its own for each.
const SLICE_LENGTH = 16 * 1024

const START =
  'A-Z_a-z\\xC0-\\xD6\\xD8-\\xF6\\xF8-\\u02FF\\u0370-\\u037D\\u037F-\\u1FFF\\u200C\\u200D\\u2070-\\u218F\\u2C00-\\u2FEF\\u3001-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFFD\\u{10000}-\\u{EFFFF}'
/** An XML name without colon, which would be a namespace prefix. */
const NAME = new RegExp(`^[${START}][${START}0-9.\\xB7\\u0300-\\u036F\\u203F\\u2040-]*$`, 'u')
const FORBIDDEN = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu
const SPECIAL = /[&<>"\t\n\r]/g

/**
 * An element; a leaf has text, any other has children. The `key` of an `entry` is its name; no other attribute has a
 * meaning.
 */
export class XmlNode {
  readonly name: string
  readonly children: XmlNode[] = []
  text = ''
  /** Names of attributes that were not read. */
  readonly attributes: readonly string[]

  constructor(name: string, attributes: readonly string[] = []) {
    this.name = name
    this.attributes = attributes
  }
}

export function parseXml(text: string): XmlNode {
  assertPlain(text)
  const building = startBuilding()
  return building.run(() => {
    building.write(text)
    return building.end()
  })
}

/** The same for a long text without blocking the event loop: the parser is fed slices. */
export async function parseLongXml(text: string): Promise<XmlNode> {
  assertPlain(text)
  const building = startBuilding()
  for (let at = 0, end = 0; at < text.length; at = end) {
    end = at + SLICE_LENGTH
    while (text[end - 1] === '\r') end++ // A line end is not split.
    // The parser would make a text of its own of each line end other than a line feed.
    const slice = text.slice(at, end).replaceAll(/\r\n?/g, '\n')
    building.run(() => building.write(slice))
    await setImmediate()
  }
  return building.run(() => building.end())
}

function assertPlain(text: string): void {
  if (hasTooMany('&', text) || hasTooMany('<', text)) throw new ApiError('body_malformed')
  if (hasTooManyHyphens(text)) throw new ApiError('body_malformed')
  if (startsWithDoctype(text)) throw new ApiError('xml_doctype')
}

/** The response as XML: the same tree as in JSON, array elements in `item`. */
export function writeXml(value: unknown): string {
  return `${XML_DECLARATION}${element('response', value)}`
}

const XML_DECLARATION = '<?xml version="1.0" encoding="utf-8"?>\n'
/** Around the items of a list that is not empty. */
export const XML_LIST_START = `${XML_DECLARATION}<response>`
export const XML_LIST_END = '</response>'

/** All errors throw: the parser throws as long as it has no error listener. */
function startBuilding() {
  // XML 1.1 would allow control characters that no response can contain.
  const parser = new SaxesParser({ xmlns: false, defaultXMLVersion: '1.0', forceXMLVersion: true })
  const document = new XmlNode('')
  const open = [document]
  let current = document
  let attributes = 0

  parser.on('xmldecl', ({ encoding = 'utf-8' }) => {
    if (encoding.toLowerCase() !== 'utf-8') throw new SyntaxError('The text is not what its declaration says.')
  })
  parser.on('doctype', () => {
    throw new SyntaxError('A DOCTYPE that the look ahead did not see.')
  })
  parser.on('attribute', () => {
    if (++attributes > MAX_ATTRIBUTES) throw new RangeError('Too many attributes.')
  })
  parser.on('opentag', (tag) => {
    attributes = 0
    const { key } = tag.name === 'entry' ? tag.attributes : {}
    const unread = Object.keys(tag.attributes).filter((name) => key === undefined || name !== 'key')
    const node = new XmlNode(key ?? tag.name, unread)
    current.children.push(node)
    if (open.push(node) > MAX_DEPTH + 1) throw new RangeError('Too deep.')
    current = node
  })
  const addText = (more: string) => {
    current.text += more
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('closetag', () => {
    if (current.children.length > 0) {
      if (!isBlank(current.text)) throw new SyntaxError('Text beside elements.')
      current.text = ''
    }
    open.pop()
    current = open.at(-1) ?? document
  })
  return {
    write: (text: string) => parser.write(text),
    end(): XmlNode {
      parser.close()
      const [root] = document.children
      if (!root) throw new SyntaxError('No root.')
      return root
    },
    run<T>(step: () => T): T {
      try {
        return step()
      } catch {
        throw new ApiError('body_malformed', { line: parser.line, column: Math.max(parser.column, 1) })
      }
    },
  }
}

/** Only XML white space: a no-break space is text. */
export function isBlank(text: string): boolean {
  return !/[^ \t\r\n]/.test(text)
}

const SPACES = /[\s\uFEFF]*/y

/** A DOCTYPE is before the root, after comments and instructions; later, `<!DOCTYPE` is text or an error. */
function startsWithDoctype(text: string): boolean {
  let at = 0
  for (;;) {
    SPACES.lastIndex = at
    SPACES.test(text)
    at = SPACES.lastIndex
    const end = text.startsWith('<!--', at) ? '-->' : text.startsWith('<?', at) ? '?>' : undefined
    if (end === undefined) return /^<!doctype/i.test(text.slice(at, at + 9))
    const found = text.indexOf(end, at + end.length + 1)
    if (found === -1) return false
    at = found + end.length
  }
}

function hasTooMany(mark: '&' | '<', text: string): boolean {
  let count = 0
  for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + 1)) {
    if (++count > MAX_MARKS[mark]) return true
  }
  return false
}

function hasTooManyHyphens(text: string): boolean {
  let count = 0
  for (let start = text.indexOf('<!--'); start !== -1; ) {
    const found = text.indexOf('-->', start + 4)
    const end = found === -1 ? text.length : found
    for (let at = text.indexOf('-', start + 4); at !== -1 && at < end; at = text.indexOf('-', at + 1))
      if (++count > MAX_HYPHENS) return true
    start = text.indexOf('<!--', end)
  }
  return false
}

function element(name: string, value: unknown): string {
  if (!NAME.test(name)) return enclose('entry', ` key="${escapeXmlAttribute(name)}"`, value)
  return enclose(name, '', value)
}

function enclose(tag: string, attribute: string, value: unknown): string {
  if (typeof value !== 'object' || value === null) return `<${tag}${attribute}>${scalar(value)}</${tag}>`
  const content = Array.isArray(value) ? value.map(writeXmlItem).join('') : writeXmlMembers(value)
  return content === '' ? `<${tag}${attribute}/>` : `<${tag}${attribute}>${content}</${tag}>`
}

/** The members of an object as consecutive elements. */
export function writeXmlMembers(value: object): string {
  let content = ''
  for (const [name, member] of Object.entries(value)) if (member !== undefined) content += element(name, member)
  return content
}

/** One element of a list. */
export function writeXmlItem(value: unknown): string {
  return enclose('item', '', value)
}

function scalar(value: unknown): string {
  if (typeof value === 'string') return escapeXmlText(value)
  return value === null || value === undefined ? '' : JSON.stringify(value)
}

export function escapeXmlText(text: string): string {
  return escape(text, inText)
}

export function escapeXmlAttribute(text: string): string {
  return escape(text, inAttribute)
}

function escape(text: string, replacement: (character: string) => string): string {
  return text.replace(FORBIDDEN, '\uFFFD').replace(SPECIAL, replacement)
}

/** Escaped, because a bare carriage return would be read back as a line feed. */
function inText(character: string): string {
  switch (character) {
    case '&':
      return '&amp;'
    case '<':
      return '&lt;'
    case '>':
      return '&gt;'
    case '\r':
      return '&#13;'
    default:
      return character
  }
}

/** Escaped, because all white space in an attribute would be read back as spaces. */
function inAttribute(character: string): string {
  return /[\t\n\r"]/.test(character) ? `&#${character.charCodeAt(0)};` : inText(character)
}
