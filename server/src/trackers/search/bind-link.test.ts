import { describe, expect, test } from 'vitest'
import {
  conditionOf,
  queryProblems,
  expectedTextCondition,
  expectedChosenCondition,
} from '../../../test/fixtures/plots-and-trees.ts'

describe('a term about links', () => {
  const child = { kind: 'link', direction: 'forward', type: '_is_child' }
  const parent = { kind: 'link', direction: 'reverse', type: '_is_child' }
  test.each([
    ['WITH PARENT', parent],
    ['WITHOUT CHILDREN', { kind: 'not', of: child }],
    ['IS LINKED TO', { kind: 'link', direction: 'forward' }],
    [
      'IS LINKED FROM ARTIFACT = 42 WITH TYPE "blocks"',
      { kind: 'link', direction: 'reverse', type: 'blocks', ends: [42] },
    ],
    ['IS LINKED TO WITH TYPE ""', { kind: 'link', direction: 'forward', type: '' }],
    ['IS COVERED BY ARTIFACT = 5', { kind: 'link', direction: 'forward', type: '_covered_by', ends: [5] }],
    ['IS NOT COVERING', { kind: 'not', of: { kind: 'link', direction: 'reverse', type: '_covered_by' } }],
    ['WITH CHILDREN ARTIFACT IN (5, 5, -6, 0, 99999999999999999999)', { ...child, ends: [5] }],
    ['WITH CHILDREN TRACKER = "tree"', { ...child, tracker: { name: 'tree', isNot: false } }],
    ['WITH CHILDREN TRACKER != "tree"', { ...child, tracker: { name: 'tree', isNot: true } }],
    [
      'WITH CHILDREN TRACKER = "tree" WHERE (name = "x")',
      { ...child, tracker: { name: 'tree', isNot: false }, where: expectedTextCondition('x', 8300) },
    ],
    [
      'WITH PARENT TRACKER != "tree" WHERE (summary = "x")',
      { ...parent, tracker: { name: 'tree', isNot: true }, where: expectedTextCondition('x', 8001) },
    ],
    ['WITH ALL CHILDREN WHERE (@id > 5)', { ...child, where: { kind: 'fact', fact: 'id', from: 6 }, every: true }],
    ['WITH ALL LINKS FROM WHERE (WITH PARENT)', { kind: 'link', direction: 'reverse', where: parent, every: true }],
  ])('%s becomes a condition on links', async (text, condition) => {
    expect(await conditionOf(text)).toEqual(condition)
  })

  test('resolves fields in each tracker of the linked artifacts', async () => {
    expect(await conditionOf('WITH CHILDREN WHERE (status = "Open")')).toEqual({
      ...child,
      where: {
        kind: 'any',
        of: [
          { kind: 'all', of: [{ kind: 'tracker', ids: [7901] }, expectedChosenCondition(8003, 8100)] },
          { kind: 'all', of: [{ kind: 'tracker', ids: [7902] }, expectedChosenCondition(8301, 8400)] },
        ],
      },
    })
  })

  test('may use all fields of the linked tracker if it is given', async () => {
    expect(await conditionOf('WITH PARENT TRACKER = "plot" WHERE (number = 5)')).toMatchObject({
      where: { kind: 'fact', fact: 'id', from: 5, to: 5 },
    })
    expect(await queryProblems('WITH PARENT WHERE (number = 5)')).toMatchObject([{ cause: 'field_type' }])
  })

  test('refuses names of a tracker that is absent or hidden', async () => {
    expect(await queryProblems('WITH CHILDREN TRACKER = "gone" WHERE (status = "Open")')).toMatchObject([
      { cause: 'field', params: { name: 'status' } },
    ])
  })
})
