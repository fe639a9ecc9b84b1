import { expect, test } from 'vitest'
import { ApiError, errorBody } from './errors.ts'

test('a long name from the request is shortened in the error', () => {
  const path = `values[0].${'x'.repeat(600_000)}`
  const problem = { reason: 'member_unknown', path, rule: 'unknown_member', params: { name: path, given: 2 } } as const
  const { reason: _, ...facts } = problem

  for (const refusal of [
    new ApiError('member_unknown', facts),
    new ApiError('member_unknown', { ...facts, all: Array.from({ length: 5 }, () => problem) }),
  ]) {
    const { error } = errorBody(refusal, 'one')
    expect(error.details).toMatchObject({ path: `values[0].${'x'.repeat(490)}…`, params: { given: 2 } })
    expect(error.message).toContain('`values[0].xxx')
    expect(JSON.stringify(error).length).toBeLessThan(20_000)
  }
})

test('at most fifty problems are reported', () => {
  const all = Array.from({ length: 10_000 }, (_, at) => ({ reason: 'member_unknown', path: `k${at}` }) as const)
  const { error } = errorBody(new ApiError('member_unknown', { path: 'k0', rule: 'unknown_member', all }), 'one')
  expect(error.details?.all).toHaveLength(50)
  expect(error.message.split('\n')).toHaveLength(50)
})
