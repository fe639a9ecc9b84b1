import type { RepeatableRandom } from '../fuzz/random.ts'
import type { PlannedField } from './definitions.ts'
import type { OracleValue } from './model.ts'
import { DAY_MS } from './zones.ts'

// Random values: few are frequent, many are rare, some are missing, and some look like parts of other languages.

const WORDS = [
  'engine', 'Engine', 'ENGINE', 'stops', 'stop', 'pump', 'leak', 'Éclair', 'éclair', 'eclair', 'Straße', 'STRASSE',
  '100%', '100', 'a_b', 'aXb', '%', '_', '\\', 'C:\\temp', 'It\'s', '"so"', 'ΣΊΣΥΦΟΣ', 'σίσυφος', 'über', 'ÜBER',
  'x', 'Ab', '<b>bold</b>', '**strong**', '{"a": 1}', '(or)', 'AND', 'naïve', '日本語', '本', '🚀', 'k', 'Kelvin',
] as const // biome-ignore format: one word a line would hide them

const FIRST_DAY = Date.parse('2025-12-05T00:00:00Z')
const DAYS = 250

/** Skewed distribution: low numbers are frequent, most are rare. */
export function skewed(random: RepeatableRandom, count: number): number {
  return Math.min(count - 1, Math.floor(count * random.number() ** 2.5))
}

export function randomWords(random: RepeatableRandom, least: number, most: number): string {
  const count = random.integer(least, most)
  return Array.from({ length: count }, () => WORDS[skewed(random, WORDS.length)] ?? 'x').join(
    random.pick([' ', ' ', '-', '  ']),
  )
}

/** Undefined: no value. */
export function randomValue(
  random: RepeatableRandom,
  { name, type, kind, labels }: PlannedField,
): OracleValue | undefined {
  if (random.chance(kind === 'text' && name === 'headline' ? 0.03 : 0.25)) return undefined
  if (kind === 'text') return text(random, type)
  if (kind === 'number') return { kind: 'number', number: number(random, type) }
  if (kind === 'day') return { kind: 'day', day: new Date(day(random)).toISOString().slice(0, 10) }
  if (kind === 'instant') return { kind: 'instant', at: day(random) + 1000 * random.integer(0, DAY_MS / 1000 - 1) }
  if (kind === 'open')
    return chosen(random.shuffled([...labels, 'free text', 'Ümlaut', '10%', '10 percent']), random.integer(1, 3))
  if (type === 'msb' || type === 'cb') return chosen(random.shuffled(labels), random.integer(1, 3))
  return chosen([labels[skewed(random, labels.length)] ?? ''], 1)
}

function chosen(labels: readonly string[], count: number): OracleValue {
  return { kind: 'chosen', labels: labels.slice(0, count) }
}

function text(random: RepeatableRandom, type: string): OracleValue {
  const lines = type === 'text' && random.chance(0.2) ? `\n${randomWords(random, 1, 4)}` : ''
  const long = type === 'text' && random.chance(0.05) ? `${'ab '.repeat(90)}${randomWords(random, 1, 2)}` : ''
  return { kind: 'text', text: `${randomWords(random, 1, 5)}${lines}${long}` }
}

function number(random: RepeatableRandom, type: string): number {
  if (random.chance(0.05)) return random.pick([Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER, 1_000_000])
  const whole = skewed(random, 40) - 5
  return type === 'float' ? whole + random.integer(0, 3) / 4 : whole
}

function day(random: RepeatableRandom): number {
  return FIRST_DAY + DAY_MS * (random.chance(0.5) ? 80 + skewed(random, 20) : random.integer(0, DAYS))
}
