import { fold } from '../../../accounts/login.ts'
import { plainText } from '../../../platform/texts/plain-text.ts'
import type { TextFormat } from '../../../platform/texts/render-text.ts'

const MENTION = /(?<![\p{L}\p{N}._@/-])@([\p{L}\p{N}][\p{L}\p{N}_.-]*)/gu
const MOST = 50

/**
 * The logins that a text may mention, as `@login`, folded. A full stop may end the sentence or belong to the login, so
 * both are given.
 */
export function findMentions({ format, content }: { format: TextFormat; content: string }): ReadonlySet<string> {
  if (!content.includes('@')) return new Set()
  const text = format === 'html' ? plainText(format, content) : content
  const names = [...text.matchAll(MENTION)].slice(0, MOST).flatMap(([, name = '']) => [name, withoutEnd(name)])
  return new Set(names.map(fold))
}

function withoutEnd(name: string): string {
  let end = name.length
  while ('._-'.includes(name.charAt(end - 1)) && end > 0) end--
  return name.slice(0, end)
}
