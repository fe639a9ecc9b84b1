/** A part of a compiled ICU message: a text, or an argument and its format. */
export type MessagePart =
  | string
  | readonly [name: string]
  | readonly [name: string, format: 'number']
  | readonly [name: string, format: 'plural' | 'select', options: Readonly<Record<string, readonly MessagePart[]>>]

export type Placeholders = Readonly<Record<string, string | number>>

/** Formats a compiled message. */
export function joinParts(parts: readonly MessagePart[], placeholders: Placeholders, locale: string): string {
  return parts
    .map((part) => {
      if (typeof part === 'string') return part
      const [name, format, options = {}] = part
      const value = placeholders[name] ?? ''
      if (format === undefined) return value
      if (format === 'number') return new Intl.NumberFormat(locale).format(Number(value))
      const key = format === 'plural' ? new Intl.PluralRules(locale).select(Number(value)) : String(value)
      const chosen = (format === 'plural' ? options[`=${value}`] : undefined) ?? options[key] ?? options['other'] ?? []
      return joinParts(chosen, placeholders, locale)
    })
    .join('')
}
