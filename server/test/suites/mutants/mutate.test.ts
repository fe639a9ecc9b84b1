import { runInThisContext } from 'node:vm'
import { expect, test } from 'vitest'
import { mutate } from './mutate.ts'
import { MutantSwitch } from './switch.ts'

const SOURCE = `
const LIMIT = true
export function mayRead(viewer, list) {
  if (viewer.is_admin && !viewer.is_restricted) return 'all'
  if (viewer.is_logged) list.push('logged')
  else if (viewer.is_blocked) return 'none'
  requireKnown(viewer)
  const open = list.filter((each) => each.level < 3)
  return viewer.id === 7 ? open.some((each) => each.mine) : sql\`access = 'public' and not exists (select 1)\`
}
const sql = (parts) => parts.join('')
function requireKnown(viewer) {
  if (viewer.id === undefined) throw new Error('unknown')
}
`

/** The planted code, with the chosen fault active. */
function load(active?: string): (viewer: object, list: object[]) => unknown {
  globalThis.waypostMutants = new MutantSwitch()
  waypostMutants.activate(active)
  const { code } = mutate(SOURCE, 'sample.ts')
  return runInThisContext(`(() => {${code.replace('export ', '')}; return mayRead})()`)
}

const idOf = (kind: string, before = '') =>
  mutate(SOURCE, 'sample.ts').mutants.find((each) => each.kind === kind && each.before.includes(before))?.id

const ADMIN = { id: 1, is_admin: true, is_restricted: false }
const OWNER = { id: 7, is_admin: false, is_restricted: true }
const GUEST = { id: 8, is_admin: false, is_restricted: true }

test('without an active fault the planted code does what the source does', () => {
  const mayRead = load()
  expect(mayRead(ADMIN, [])).toBe('all')
  expect(mayRead(OWNER, [{ level: 1, mine: true }])).toBe(true)
  expect(mayRead(GUEST, [])).toBe("access = 'public' and not exists (select 1)")
  expect(() => mayRead({}, [])).toThrow('unknown')
  expect(mayRead({ ...GUEST, is_blocked: true }, [])).toBe('none')
  expect(mayRead({ ...GUEST, is_logged: true, is_blocked: true }, [])).toMatch(/^access/)
})

test('each fault changes what its kind says', () => {
  expect(load(idOf('operator', '&&'))(GUEST, [])).not.toBe('all')
  expect(load(idOf('condition', 'is_admin'))(GUEST, [])).toBe('all')
  expect(load(idOf('negation'))(ADMIN, [])).not.toBe('all')
  expect(load(idOf('removed call', 'requireKnown'))({}, [])).toMatch(/^access/)
  expect(load(idOf('removed throw'))({}, [])).toMatch(/^access/)
  expect(load(idOf('removed filter'))(OWNER, [{ level: 9, mine: true }])).toBe(true)
  expect(load(idOf('quantifier'))(OWNER, [])).toBe(true)
  expect(load(idOf('sql and → or'))(GUEST, [])).toBe("access = 'public' or not exists (select 1)")
  expect(load(idOf('sql not exists → exists'))(GUEST, [])).toBe("access = 'public' and exists (select 1)")
  expect(load(idOf('sql = → <>'))(GUEST, [])).toMatch(/^access <> /)
})

test('code that runs when a module is loaded is left alone, and only selected faults are planted', () => {
  const { mutants, code } = mutate(SOURCE, 'sample.ts', () => false)
  expect(mutants.map(({ kind }) => kind)).not.toContain('boolean')
  expect(code).toBe(SOURCE)
})

test('a fault that makes a loop endless ends it', () => {
  globalThis.waypostMutants = new MutantSwitch()
  waypostMutants.activate('x')
  expect(() => {
    while (waypostMutants.is('x'));
  }).toThrow('Endless')
})
