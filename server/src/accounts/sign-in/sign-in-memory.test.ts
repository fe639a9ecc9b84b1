import { describe, expect, test } from 'vitest'
import { ANONYMOUS_VIEWER } from '../../platform/http/request-state.ts'
import {
  type ConfirmedSignIn,
  confirmSignIn,
  confirmUnchanged,
  createSignInMemory,
  earliest,
} from './recalled-sign-in.ts'

const HOME = '198.51.100.7'
const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1, 12, 0, seconds))
const SIGN_IN: ConfirmedSignIn = {
  viewer: ANONYMOUS_VIEWER,
  kind: 'access_key',
  id: '7',
  stamp: 'a.1',
  valid: { snapshot: '10:10:', usedOn: at(10) },
  from: at(10),
  until: at(50),
  address: HOME,
}

describe('a kept sign-in', () => {
  const recall = (change: Partial<ConfirmedSignIn>, now: Date, address = HOME) => {
    const memory = createSignInMemory()
    memory.keep('secret', { ...SIGN_IN, ...change })
    return memory.recall('access_key', 'secret', now, address)
  }

  test('is recalled unconfirmed, with the stamp that it was read with', () => {
    expect(recall({}, at(10))).toEqual({
      viewer: ANONYMOUS_VIEWER,
      kind: 'access_key',
      id: '7',
      stamp: 'a.1',
      at: at(10),
      valid: { snapshot: '10:10:', usedOn: at(10) },
      isConfirmed: false,
    })
  })

  test.each([
    { moment: 'before it was read, because the clock was set back', now: at(9) },
    { moment: 'at its end', now: at(50) },
  ])('is not recalled $moment', ({ now }) => {
    expect(recall({}, now)).toBeUndefined()
    expect(recall({}, at(49))).toBeDefined()
  })

  test('is recalled from its own address only, unless the address is not stored', () => {
    expect(recall({}, at(20), '203.0.113.9')).toBeUndefined()
    expect(recall({ address: null }, at(20), '203.0.113.9')).toBeDefined()
  })

  test('belongs to one secret and one kind of credential', () => {
    const memory = createSignInMemory()
    memory.keep('secret', SIGN_IN)
    expect(memory.recall('access_key', 'other', at(20), HOME)).toBeUndefined()
    expect(memory.recall('session', 'secret', at(20), HOME)).toBeUndefined()
  })
})

test('a sign-in is confirmed by its own stamp only', () => {
  const valid = { snapshot: '10:10:', usedOn: at(10) }
  const recalled = {
    viewer: ANONYMOUS_VIEWER,
    kind: 'session',
    id: 's',
    stamp: 'a.1',
    at: at(20),
    valid,
    isConfirmed: false,
  } as const
  for (const stamp of ['a.2', null]) {
    const unconfirmed = { ...recalled }
    expect(() => confirmSignIn(unconfirmed, stamp)).toThrow('has changed')
    expect(unconfirmed.isConfirmed).toBe(false)
  }
  const confirmed = { ...recalled }
  confirmSignIn(confirmed, 'a.1')
  expect(confirmed.isConfirmed).toBe(true)
  expect(valid.snapshot).toBe('10:10:')
  confirmSignIn(confirmed, 'a.1', '11:11:')
  expect(valid.snapshot).toBe('11:11:')
})

test('a sign-in is confirmed by the state of the database that it was compared in, and by no other', () => {
  const memory = createSignInMemory()
  memory.keep('secret', SIGN_IN)
  const recalled = memory.recall('access_key', 'secret', at(20), HOME)
  expect(recalled && confirmUnchanged(recalled, '10:11:')).toBe(false)
  expect(recalled?.isConfirmed).toBe(false)
  expect(recalled && confirmUnchanged(recalled, '10:10:')).toBe(true)
  expect(recalled?.isConfirmed).toBe(true)
})

test('uses are taken once, by kind, and count only if they were confirmed', () => {
  const memory = createSignInMemory()
  const keep = (id: string, kind: ConfirmedSignIn['kind']) =>
    memory.keep(id, { ...SIGN_IN, id, kind, valid: { ...SIGN_IN.valid, usedOn: at(10) } })
  keep('1', 'access_key')
  keep('2', 'access_key')
  keep('s', 'session')
  const [one, other] = ['1', '2'].map((id) => memory.recall('access_key', id, at(20), HOME))
  expect(one && confirmUnchanged(one, '10:10:')).toBe(true)
  expect(other && confirmUnchanged(other, '10:11:')).toBe(false)
  expect(memory.takeUses('access_key').toSorted((first, second) => first.id.localeCompare(second.id))).toEqual([
    { id: '1', usedOn: at(20) },
    { id: '2', usedOn: at(10) },
  ])
  expect(memory.takeUses('access_key')).toEqual([])
  expect(memory.recall('session', 's', at(20), HOME)).toBeDefined()
})

test('the earliest of some moments ignores those that never come', () => {
  expect(earliest(at(5), null)).toEqual(at(5))
  expect(earliest(at(5), at(7), null, at(3), at(4))).toEqual(at(3))
})
