import { describe, expect, test } from 'vitest'
import { ApiError } from '../../platform/messages/errors.ts'
import { readLine } from '../bulk/line.ts'
import { requireNewSource } from '../create-artifact.ts'
import { requireCommentLength } from './schemas.ts'
import { requireValuesSource } from './update-artifact.ts'

/** The reason and path of the refusal; undefined: none. */
function refusal(check: () => void): unknown {
  try {
    check()
    return undefined
  } catch (error) {
    return error instanceof ApiError ? [error.reason, error.details?.path] : error
  }
}

const values = [{ field_id: 7, value: 1 }]
const byField = { points: 1 }
const comment = { body: 'Seen' }
const [LONGEST, TOO_LONG] = ['x'.repeat(65_535), `${'x'.repeat(65_534)}é`]
const conflict = ['parameter_conflict', 'values_by_field']
const missing = ['parameter_required', 'values']
const tooLong = ['parameter_out_of_range', 'comment.body']

describe('an update', () => {
  test.each<[input: Parameters<typeof requireValuesSource>[0], expected: unknown]>([
    [{ values }, undefined],
    [{ values: [] }, undefined],
    [{ values_by_field: byField }, undefined],
    [{ values_by_field: {} }, undefined],
    [{ comment }, undefined],
    [{ values, values_by_field: {} }, undefined],
    [{ values: [], values_by_field: byField }, undefined],
    [{ values, values_by_field: byField }, conflict],
    [{}, missing],
    [{ comment: null }, missing],
    [{ values, comment: { body: TOO_LONG } }, tooLong],
  ])('of %j: %j', (input, expected) => {
    expect(refusal(() => requireValuesSource(input))).toEqual(expected)
  })
})

describe('a new artifact', () => {
  const from_artifact = { id: 12 }
  test.each<[input: Parameters<typeof requireNewSource>[0], expected: unknown]>([
    [{ values }, undefined],
    [{ values_by_field: byField }, undefined],
    [{ from_artifact }, undefined],
    [{ values, values_by_field: {} }, undefined],
    [{ values: [], values_by_field: byField }, undefined],
    [{ values, values_by_field: byField }, conflict],
    [{ values, from_artifact }, ['parameter_conflict', 'from_artifact']],
    [{ values_by_field: byField, from_artifact }, ['parameter_conflict', 'from_artifact']],
    [{}, missing],
    [{ values: [], values_by_field: {} }, missing],
    [{ comment }, missing],
    [{ values, comment: { body: TOO_LONG } }, tooLong],
  ])('of %j: %j', (input, expected) => {
    expect(refusal(() => requireNewSource(input))).toEqual(expected)
  })
})

test('a comment has at most 65,535 bytes', () => {
  expect(refusal(() => requireCommentLength(undefined))).toBeUndefined()
  expect(refusal(() => requireCommentLength(null))).toBeUndefined()
  expect(refusal(() => requireCommentLength({ body: LONGEST }))).toBeUndefined()
  expect(refusal(() => requireCommentLength({ body: TOO_LONG }))).toEqual(tooLong)
})

describe('a line of a bulk write', () => {
  test.each<[line: Parameters<typeof readLine>[0], expected: unknown]>([
    [{ op: 'create', id: 12, values }, ['parameter_conflict', 'id']],
    [{ op: 'create', if_match: '*', values }, ['parameter_conflict', 'if_match']],
    [{ op: 'create' }, missing],
    [{ op: 'update', values }, ['parameter_required', 'id']],
    [{ op: 'update', id: 12 }, missing],
    [{ op: 'update', id: -1, values }, ['not_found', undefined]],
  ])('%j is refused: %j', (line, expected) => {
    expect(refusal(() => readLine(line))).toEqual(expected)
  })

  test('is read with the precondition that it names', () => {
    expect(readLine({ op: 'create', values })).toEqual({ op: 'create', input: { values } })
    expect(readLine({ op: 'update', id: 12, values })).toEqual({
      op: 'update',
      id: 12,
      input: { values },
      precondition: {},
    })
    expect(readLine({ op: 'update', id: 12, if_match: '"a"', comment })).toEqual({
      op: 'update',
      id: 12,
      input: { comment },
      precondition: { 'if-match': '"a"' },
    })
  })
})
