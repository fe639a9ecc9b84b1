import type { Random } from '../fuzz/random.ts'
import type { PlannedField } from './definitions.ts'
import type { Value } from './model.ts'
import { DAY } from './zones.ts'

// Random values: few are frequent, many are rare, some are missing, and some look like parts of other languages.

const WORDS = [
  'engine', 'Engine', 'ENGINE', 'stops', 'stop', 'pump', 'leak', 'Éclair', 'éclair', 'eclair', 'Straße', 'STRASSE',
  '100%', '100', 'a_b', 'aXb', '%', '_', '\\', 'C:\\temp', 'It\'s', '"so"', 'ΣΊΣΥΦΟΣ', 'σίσυφος', 'über', 'ÜBER',
  'x', 'Ab', '<b>bold</b>', '**strong**', '{"a": 1}', '(or)', 'AND', 'naïve', '日本語', '本', '🚀', 'k', 'Kelvin',
] as const // biome-ignore format: one word a line would hide them

const FIRST_DAY = Date.parse('2025-12-05T00:00:00Z')
const DAYS = 250

/** The lower, the likelier: a few values are everywhere, most are rare. */
export function skewed(random: Random, count: number): number {
  return Math.min(count - 1, Math.floor(count * random.number() ** 2.5))
}

export function words(random: Random, least: number, most: number): string {
  const count = random.integer(least, most)
  return Array.from({ length: count }, () => WORDS[skewed(random, WORDS.length)] ?? 'x').join(
    random.pick([' ', ' ', '-', '  ']),
  )
}

/** Undefined: none. */
export function randomValue(random: Random, { name, type, kind, labels }: PlannedField): Value | undefined {
  if (random.chance(kind === 'text' && name === 'headline' ? 0.03 : 0.25)) return undefined
  if (kind === 'text') return text(random, type)
  if (kind === 'number') return { kind: 'number', number: number(random, type) }
  if (kind === 'day') return { kind: 'day', day: new Date(day(random)).toISOString().slice(0, 10) }
  if (kind === 'instant') return { kind: 'instant', at: day(random) + 1000 * random.integer(0, DAY / 1000 - 1) }
  if (kind === 'open')
    return chosen(random.shuffled([...labels, 'free text', 'Ümlaut', '10%', '10 percent']), random.integer(1, 3))
  if (type === 'msb' || type === 'cb') return chosen(random.shuffled(labels), random.integer(1, 3))
  return chosen([labels[skewed(random, labels.length)] ?? ''], 1)
}

function chosen(labels: readonly string[], count: number): Value {
  return { kind: 'chosen', labels: labels.slice(0, count) }
}

function text(random: Random, type: string): Value {
  const lines = type === 'text' && random.chance(0.2) ? `\n${words(random, 1, 4)}` : ''
  const long = type === 'text' && random.chance(0.05) ? `${'ab '.repeat(90)}${words(random, 1, 2)}` : ''
  return { kind: 'text', text: `${words(random, 1, 5)}${lines}${long}` }
}

function number(random: Random, type: string): number {
  if (random.chance(0.05)) return random.pick([Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER, 1_000_000])
  const whole = skewed(random, 40) - 5
  return type === 'float' ? whole + random.integer(0, 3) / 4 : whole
}

function day(random: Random): number {
  return FIRST_DAY + DAY * (random.chance(0.5) ? 80 + skewed(random, 20) : random.integer(0, DAYS))
}
