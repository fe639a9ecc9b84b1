import { LRUCache } from 'lru-cache'
import { escapeHtml } from '../wire/html.ts'
import { renderCommonmark } from './render-commonmark.ts'
import { sanitiseHtml } from './sanitise-html.ts'

export type TextFormat = 'text' | 'html' | 'commonmark'

const MAX_CACHED_CHARACTERS = 4 * 1024 * 1024
/** A longer text would displace too many others. */
const MAX_CACHED_TEXT_CHARACTERS = 64 * 1024
/** Estimated memory of an entry beside its texts. */
const ENTRY_CHARACTERS = 100

// Parsing costs more than the rest of the representation of a text, and most texts are read more often than written.
const commonmarkToHtml = createRenderCache(renderCommonmark)
const htmlToSafeHtml = createRenderCache(sanitiseHtml)

/** Renders a text as safe HTML. The result depends on nothing else; references are linked for each viewer later. */
export function renderText(format: TextFormat, source: string): string {
  if (format === 'commonmark') return commonmarkToHtml(source)
  if (format === 'html') return htmlToSafeHtml(source)
  return escapeHtml(source).replace(/\r\n|\r|\n/g, '<br />')
}

function createRenderCache(render: (source: string) => string): (source: string) => string {
  const results = new LRUCache<string, string>({
    maxSize: MAX_CACHED_CHARACTERS,
    maxEntrySize: MAX_CACHED_TEXT_CHARACTERS,
    sizeCalculation: (html, source) => html.length + source.length + ENTRY_CHARACTERS,
  })
  return (source) => {
    const known = results.get(source)
    if (known !== undefined) return known
    const html = render(source)
    results.set(source, html)
    return html
  }
}
