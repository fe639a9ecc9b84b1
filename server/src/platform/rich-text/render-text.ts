import { escapeHtml } from '../wire/html.ts'
import { renderCommonmark } from './render-commonmark.ts'
import { sanitiseHtml } from './sanitise-html.ts'

export type TextFormat = 'text' | 'html' | 'commonmark'

/** Renders a text as safe HTML. */
export function renderText(format: TextFormat, source: string): string {
  if (format === 'commonmark') return renderCommonmark(source)
  if (format === 'html') return sanitiseHtml(source)
  return escapeHtml(source).replace(/\r\n|\r|\n/g, '<br />')
}
