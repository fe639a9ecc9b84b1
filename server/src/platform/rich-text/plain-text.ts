import { unescapeHtml } from '../wire/html.ts'
import { INLINE_ELEMENTS } from './sanitise-html.ts'
import { renderText, type TextFormat } from './render-text.ts'

const INLINE_NAMES = new Set(INLINE_ELEMENTS)

/** The text without markup, in one line. */
export function toPlainText(format: TextFormat, source: string): string {
  const text = format === 'text' ? source : unescapeHtml(withoutTags(renderText(format, source)))
  return text.replace(/\s+/g, ' ').trim()
}

/** For safe HTML, in which `<` and `>` occur only around tags. */
function withoutTags(html: string): string {
  return html.replace(/<[^<>]*>/g, (tag) => {
    if (tag.startsWith('<img')) return ` ${/ alt="([^"]*)"/.exec(tag)?.[1] ?? ''} `
    return INLINE_NAMES.has(/[a-z]\w*/.exec(tag)?.[0] ?? '') ? '' : ' ' // All other elements end a word.
  })
}
