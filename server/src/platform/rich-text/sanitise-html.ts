import sanitize from 'sanitize-html'
import { escapeHtml } from '../wire/html.ts'
import { linkRel, safeUrl } from './safe-url.ts'

const BLOCKS = ['blockquote', 'dd', 'div', 'dl', 'dt', 'figcaption', 'figure', 'hr', 'li', 'ol', 'p', 'pre', 'ul']
const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'details', 'summary']
const TABLES = ['caption', 'col', 'colgroup', 'table', 'tbody', 'td', 'tfoot', 'th', 'thead', 'tr']
const TEXT_ELEMENTS = [
  'abbr',
  'b',
  'cite',
  'code',
  'del',
  'em',
  'i',
  'ins',
  'kbd',
  'mark',
  'q',
  's',
  'samp',
  'small',
  'span',
]

export const INLINE_ELEMENTS: readonly string[] = [
  ...TEXT_ELEMENTS,
  'a',
  'strike',
  'strong',
  'sub',
  'sup',
  'u',
  'var',
  'wbr',
]

/**
 * The only elements in the output of {@link sanitiseHtml}. None contains raw text or another language, on which parsers
 * disagree.
 */
export const ALLOWED_ELEMENTS: readonly string[] = [...HEADINGS, ...BLOCKS, ...TABLES, ...INLINE_ELEMENTS, 'br', 'img']

/** The only attributes, by element; `*` is any. No `id` and `name`, which could clobber globals of page scripts. */
export const ALLOWED_ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  '*': ['dir', 'lang', 'title'],
  a: ['href', 'rel'],
  code: ['class'],
  col: ['span'],
  colgroup: ['span'],
  img: ['src', 'alt', 'width', 'height'],
  ol: ['start'],
  td: ['align', 'colspan', 'rowspan'],
  th: ['align', 'colspan', 'rowspan'],
}

// Removed with their content, which is not text for people.
const SCRIPTS = ['script', 'style', 'template', 'textarea', 'option', 'title', 'xmp']
const FALLBACKS = ['iframe', 'noembed', 'noframes', 'noscript']

const MAX_SHOWN_DEPTH = 100
const MAX_PARSED_DEPTH = 400

const OPTIONS: sanitize.IOptions = {
  allowedTags: [...ALLOWED_ELEMENTS],
  allowedAttributes: Object.fromEntries(
    Object.entries(ALLOWED_ATTRIBUTES).map(([element, names]) => [element, [...names]]),
  ),
  allowedClasses: { code: [/^language-\S+$/] },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowProtocolRelative: false,
  nonTextTags: [...SCRIPTS, ...FALLBACKS],
  nestingLimit: MAX_SHOWN_DEPTH,
  parseStyleAttributes: false,
  transformTags: {
    // An attribute without a value is omitted.
    a: (tagName, { href = '', ...others }) => {
      const url = safeUrl(href) ?? ''
      return { tagName, attribs: { href: url, ...others, rel: linkRel(url) } }
    },
    img: (tagName, { src = '', ...others }) => ({ tagName, attribs: { src: safeUrl(src) ?? '', ...others } }),
  },
}

/**
 * Turns untrusted HTML into safe HTML: an allowlist removes markup and keeps its text. Input that is nested too deeply,
 * which is expensive to parse, is escaped instead.
 */
export function sanitiseHtml(source: string): string {
  if (!/[<&]/.test(source)) return source.replaceAll('>', '&gt;')
  try {
    return sanitize(source, { ...OPTIONS, ...depthGuard() })
  } catch (error) {
    if (error instanceof TooDeepError) return escapeHtml(source)
    throw error
  }
}

class TooDeepError extends Error {}

function depthGuard(): Pick<sanitize.IOptions, 'onOpenTag' | 'onCloseTag'> {
  let depth = 0
  return {
    onOpenTag() {
      depth += 1
      if (depth > MAX_PARSED_DEPTH) throw new TooDeepError()
    },
    onCloseTag() {
      depth -= 1
    },
  }
}
