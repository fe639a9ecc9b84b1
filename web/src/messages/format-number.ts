import { locale } from './language.ts'

const inLocale = new Intl.NumberFormat(locale)

/** With the separators of the reader's locale. */
export function formatNumber(value: number): string {
  return inLocale.format(value)
}
