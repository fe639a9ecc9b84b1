import type { Client } from 'pg'
import { type CopyValue, copyRows } from '../platform/database/copy.ts'
import { createSeededRandom, type SeededRandom } from '../platform/operation/seeded-random.ts'

/** Exactly this many seeded accounts have this name at every size, for searches with constant hits. */
export const NEEDLE = { name: 'Zephyrine', count: 30 }

const FIRST = [
  'Ada',
  'Bruno',
  'Chiara',
  'Daniel',
  'Elif',
  'Farid',
  'Greta',
  'Hiro',
  'Ines',
  'Jonas',
  'Kavya',
  'Lukas',
  'Mara',
  'Noor',
  'Oskar',
  'Priya',
  'Quinn',
  'Rosa',
  'Sven',
  'Tala',
  'Umar',
  'Vera',
  'Wanda',
  'Yusuf',
] as const
const START = [
  'Bar',
  'Cor',
  'Dal',
  'Fen',
  'Gar',
  'Hol',
  'Jan',
  'Kel',
  'Lin',
  'Mor',
  'Nor',
  'Pel',
  'Ras',
  'Sor',
  'Tam',
  'Vel',
  'Wes',
  'Zan',
] as const
const MIDDLE = ['a', 'e', 'i', 'o', 'u', 'ber', 'den', 'gar', 'kin', 'lo', 'man', 'ri', 'sta', 'ten'] as const
const END = [
  'berg',
  'dal',
  'feld',
  'ger',
  'holm',
  'ing',
  'ko',
  'ler',
  'mann',
  'ov',
  'sen',
  'ski',
  'son',
  'stra',
  'tti',
  'vic',
] as const

/** Loads `count` active accounts without passwords by COPY; returns the id of the first. */
export async function seedAccounts(
  client: Client,
  count: number,
  seed: number,
  progress: (done: number) => void,
): Promise<number> {
  const { rows } = await client.query<{ last: string }>('select coalesce(max(id), 100) as last from account')
  const first = Math.max(Number(rows[0]?.last ?? 100), 100) + 1
  const columns = ['id', 'login', 'real_name', 'email', 'status', 'created_on']
  await copyRows(client, 'account', columns, people(first, count, createSeededRandom(seed), progress))
  await client.query(`select setval(pg_get_serial_sequence('account', 'id'), (select max(id) from account))`)
  return first
}

function* people(
  first: number,
  count: number,
  random: SeededRandom,
  progress: (done: number) => void,
): Generator<CopyValue[]> {
  const created = new Date('2026-01-01T00:00:00Z')
  const step = Math.max(1, Math.floor(count / NEEDLE.count))
  for (let index = 0; index < count; index++) {
    const given = random.pick(FIRST)
    const isNeedle = index % step === 0 && index / step < NEEDLE.count
    const family = isNeedle ? NEEDLE.name : random.pick(START) + random.pick(MIDDLE) + random.pick(END)
    const login = `${given}.${family}.${first + index}`.toLowerCase()
    yield [first + index, login, `${given} ${family}`, `${login}@waypost.example`, 'A', created]
    if (index % 1000 === 0) progress(index)
  }
  progress(count)
}
