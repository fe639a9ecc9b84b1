import { SaxesParser } from 'saxes'
import { ApiError } from '../words/errors.ts'

const DEEPEST = 64
const MOST_ATTRIBUTES = 64 // Of one element: `key` is the only one that means anything.
const MOST_MARKS = 250_000 // References, tags and comments each: every one costs as much as a whole word of plain text.

const START =
  'A-Z_a-z\\xC0-\\xD6\\xD8-\\xF6\\xF8-\\u02FF\\u0370-\\u037D\\u037F-\\u1FFF\\u200C\\u200D\\u2070-\\u218F\\u2C00-\\u2FEF\\u3001-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFFD\\u{10000}-\\u{EFFFF}'
/** A name of XML without colon: to a reader with namespaces, that would be a prefix. */
const NAME = new RegExp(`^[${START}][${START}0-9.\\xB7\\u0300-\\u036F\\u203F\\u2040-]*$`, 'u')
const FORBIDDEN = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu
const SPECIAL = /[&<>"\t\n\r]/g

/** An element; a leaf has text, any other has children. Attributes mean nothing, but the `key` of an `entry` is its name. */
export class XmlNode {
  readonly name: string
  readonly children: XmlNode[] = []
  text = ''

  constructor(name: string) {
    this.name = name
  }
}

export function parseXml(text: string): XmlNode {
  if (hasTooMany('&', text) || hasTooMany('<', text)) throw new ApiError('body_malformed')
  if (startsWithDoctype(text)) throw new ApiError('xml_doctype')
  try {
    return build(text)
  } catch {
    throw new ApiError('body_malformed')
  }
}

/** The answer as XML: the same tree as in JSON, array elements in `item`. */
export function writeXml(value: unknown): string {
  return `<?xml version="1.0" encoding="utf-8"?>\n${element('response', value)}`
}

/** Whatever is wrong throws: the parser throws by itself as long as nobody listens to its errors. */
function build(text: string): XmlNode {
  // Version 1.1 would let in control characters that no answer could give back.
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
    if (++attributes > MOST_ATTRIBUTES) throw new RangeError('Too many attributes.')
  })
  parser.on('opentag', (tag) => {
    attributes = 0
    const node = new XmlNode(tag.name === 'entry' ? (tag.attributes['key'] ?? tag.name) : tag.name)
    current.children.push(node)
    if (open.push(node) > DEEPEST + 1) throw new RangeError('Too deep.')
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
  parser.write(text).close()

  const [root] = document.children
  if (!root) throw new SyntaxError('No root.')
  return root
}

/** Nothing but what XML itself calls space: a no-break space is text. */
export function isBlank(text: string): boolean {
  return !/[^ \t\r\n]/.test(text)
}

/** A DOCTYPE stands before the root, after comments and instructions; further on, `<!DOCTYPE` is text or an error. */
function startsWithDoctype(text: string): boolean {
  let at = 0
  for (;;) {
    while (/[\s\uFEFF]/.test(text.charAt(at))) at++
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
    if (++count > MOST_MARKS) return true
  }
  return false
}

function element(name: string, value: unknown): string {
  if (!NAME.test(name)) return enclose('entry', ` key="${escapeXmlAttribute(name)}"`, value)
  return enclose(name, '', value)
}

function enclose(tag: string, attribute: string, value: unknown): string {
  if (typeof value !== 'object' || value === null) return `<${tag}${attribute}>${scalar(value)}</${tag}>`
  const content = Array.isArray(value) ? value.map(item).join('') : writeXmlMembers(value)
  return content === '' ? `<${tag}${attribute}/>` : `<${tag}${attribute}>${content}</${tag}>`
}

/** The members of an object, one after the other, as answers have them. */
export function writeXmlMembers(value: object): string {
  let content = ''
  for (const [name, member] of Object.entries(value)) if (member !== undefined) content += element(name, member)
  return content
}

function item(value: unknown): string {
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

/** A bare carriage return would come back as a line feed. */
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

/** In an attribute all white space would come back as spaces. */
function inAttribute(character: string): string {
  return /[\t\n\r"]/.test(character) ? `&#${character.charCodeAt(0)};` : inText(character)
}
