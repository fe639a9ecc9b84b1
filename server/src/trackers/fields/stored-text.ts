import type { TextFormat } from '../../platform/texts/render-text.ts'
import { plainText } from '../../platform/texts/plain-text.ts'
import { isRecord } from '../../platform/wire/schema-shape.ts'

export interface StoredText {
  readonly format: TextFormat
  readonly content: string
}

export function isTextFormat(given: unknown): given is TextFormat {
  return given === 'text' || given === 'html' || given === 'commonmark'
}

/**
 * What a field of type `string` or `text` has stored, whichever it was then: one can become the other, and neither the
 * values nor their history are written anew for it.
 */
export function storedText(stored: unknown): StoredText | undefined {
  if (typeof stored === 'string') return { format: 'text', content: stored }
  if (!isRecord(stored)) return undefined
  const { format, content } = stored
  return isTextFormat(format) && typeof content === 'string' ? { format, content } : undefined
}

/** The same in one line. */
export function storedLine(stored: unknown): string | undefined {
  if (typeof stored === 'string') return stored
  const text = storedText(stored)
  return text && plainText(text.format, text.content)
}
