import { fold } from '../../../accounts/login.ts'
import { toPlainText } from '../../../platform/rich-text/plain-text.ts'
import type { TextFormat } from '../../../platform/rich-text/render-text.ts'

const MENTION = /(?<![\p{L}\p{N}._@/-])@([\p{L}\p{N}][\p{L}\p{N}_.-]*)/gu
const MAX_MENTIONS = 50

/**
 * The folded logins that a text may mention as `@login`. A full stop may end the sentence or belong to the login, so
 * both variants are returned.
 */
export function findMentions({ format, content }: { format: TextFormat; content: string }): ReadonlySet<string> {
  if (!content.includes('@')) return new Set()
  const text = format === 'html' ? toPlainText(format, content) : content
  const names = [...text.matchAll(MENTION)]
    .slice(0, MAX_MENTIONS)
    .flatMap(([, name = '']) => [name, trimTrailingPunctuation(name)])
  return new Set(names.map(fold))
}

function trimTrailingPunctuation(name: string): string {
  let end = name.length
  while ('._-'.includes(name.charAt(end - 1)) && end > 0) end--
  return name.slice(0, end)
}
