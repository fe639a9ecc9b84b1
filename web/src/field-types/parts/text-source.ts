import type { AnyValue as Value } from '@waypost/sdk/api'
import type { TextValue } from '../values.ts'

/** The Markdown of a text; undefined: it is not Markdown. */
export function sourceOfText(value: Value | undefined): string | undefined {
  const { commonmark }: Partial<TextValue> = value ?? {}
  return typeof commonmark === 'string' ? commonmark : undefined
}
