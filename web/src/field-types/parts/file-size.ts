import { locale } from '../../messages/language.ts'

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

export function fileSizeText(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log(Math.max(bytes, 1)) / Math.log(1000)))
  const format = new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: UNITS[power] ?? 'byte',
    maximumFractionDigits: 1,
  })
  return format.format(bytes / 1000 ** power)
}
