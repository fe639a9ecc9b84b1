import sanitize from 'sanitize-html'
import { escapeHtml } from '../wire/html.ts'
import { relationTo, safeUrl } from './safe-url.ts'

const BLOCKS = ['blockquote', 'dd', 'div', 'dl', 'dt', 'figcaption', 'figure', 'hr', 'li', 'ol', 'p', 'pre', 'ul']
const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'details', 'summary']
const TABLES = ['caption', 'col', 'colgroup', 'table', 'tbody', 'td', 'tfoot', 'th', 'thead', 'tr']
const WORDS = ['abbr', 'b', 'cite', 'code', 'del', 'em', 'i', 'ins', 'kbd', 'mark', 'q', 's', 'samp', 'small', 'span']

/** Elements within a line. */
export const INLINE: readonly string[] = [...WORDS, 'a', 'strike', 'strong', 'sub', 'sup', 'u', 'var', 'wbr']

/** The only elements that leave {@link sanitiseHtml}. None holds raw text or another language, where parsers disagree. */
export const ELEMENTS: readonly string[] = [...HEADINGS, ...BLOCKS, ...TABLES, ...INLINE, 'br', 'img']

/** The only attributes, by element; `*` is any. No `id` and no `name`: scripts of the page would take them for theirs. */
export const ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
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

// Their content is no text for people: it goes with them.
const SCRIPTS = ['script', 'style', 'template', 'textarea', 'option', 'title', 'xmp']
const FALLBACKS = ['iframe', 'noembed', 'noframes', 'noscript']

const DEEPEST_SHOWN = 100
const DEEPEST_READ = 400

const OPTIONS: sanitize.IOptions = {
  allowedTags: [...ELEMENTS],
  allowedAttributes: Object.fromEntries(Object.entries(ATTRIBUTES).map(([element, names]) => [element, [...names]])),
  allowedClasses: { code: [/^language-\S+$/] },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowProtocolRelative: false,
  nonTextTags: [...SCRIPTS, ...FALLBACKS],
  nestingLimit: DEEPEST_SHOWN,
  parseStyleAttributes: false,
  transformTags: {
    // An attribute without a value is left out.
    a: (tagName, { href = '', ...others }) => {
      const url = safeUrl(href) ?? ''
      return { tagName, attribs: { href: url, ...others, rel: relationTo(url) } }
    },
    img: (tagName, { src = '', ...others }) => ({ tagName, attribs: { src: safeUrl(src) ?? '', ...others } }),
  },
}

/**
 * HTML of anybody as HTML that is safe to show: what is not known to be harmless is left out, its text stays. Elements
 * within elements without end, which cost the parser dear, are shown as they are written.
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
      if (depth > DEEPEST_READ) throw new TooDeepError()
    },
    onCloseTag() {
      depth -= 1
    },
  }
}
