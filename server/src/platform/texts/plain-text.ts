import { unescapeHtml } from '../wire/html.ts'
import { INLINE } from './sanitise-html.ts'
import { renderText, type TextFormat } from './render-text.ts'

const IN_LINE = new Set(INLINE)

/** What a text says, without markup, in one line. */
export function plainText(format: TextFormat, source: string): string {
  const text = format === 'text' ? source : unescapeHtml(withoutTags(renderText(format, source)))
  return text.replace(/\s+/g, ' ').trim()
}

/** Of safe HTML, in which `<` and `>` stand nowhere but around tags. */
function withoutTags(html: string): string {
  return html.replace(/<[^<>]*>/g, (tag) => {
    if (tag.startsWith('<img')) return ` ${/ alt="([^"]*)"/.exec(tag)?.[1] ?? ''} `
    return IN_LINE.has(/[a-z]\w*/.exec(tag)?.[0] ?? '') ? '' : ' ' // All other elements end a word.
  })
}
