import { describe, expect, test } from 'vitest'
import { readingWith } from '../../../test/fixtures/one-field.ts'
import { sampleAccess } from '../../../test/fixtures/sample-access.ts'
import { CRATE_FIELDS, CRATE_VALUES } from '../../../test/fixtures/sample-tracker.ts'
import { decideValues, findItems } from './decide-values.ts'

const { summary, severity, places, points, due, number } = CRATE_FIELDS
const { high, barn, yard } = CRATE_VALUES

describe('a value that is sent back as it was read', () => {
  class Parsed extends Error {}

  /** Whether the value is taken for the stored one without being parsed. */
  async function isEcho(id: number, stored: unknown, sent: object): Promise<boolean> {
    const access = sampleAccess()
    const deciding = decideValues({
      access,
      given: findItems(access, { values: [{ field_id: id, ...sent }] }),
      stored: { [summary]: 'Pump', [id]: stored },
      reading: { ...readingWith({}), tracker: access.tracker },
      writing: () => {
        throw new Parsed()
      },
    })
    return deciding.then(
      (changes) => changes.size === 0,
      (error: unknown) => {
        if (error instanceof Parsed) return false
        throw error
      },
    )
  }

  test.each<[sent: object, isSame: boolean]>([
    [{ value: 5 }, true],
    [{ value: '5' }, true],
    [{ value: 5, label: 'Another', type: 'string' }, true],
    [{ value: 5, add: null }, true],
    [{ value: 5, add: [1] }, false],
    [{ value: 5, remove: [1] }, false],
    [{ value: 6 }, false],
    [{ value: '6' }, false],
    [{ value: '' }, false],
    [{ value: null }, false],
    [{ value: true }, false],
    [{ value: [5] }, false],
    [{}, false],
  ])('5 as %j: %s', async (sent, isSame) => {
    expect(await isEcho(points, 5, sent)).toBe(isSame)
  })

  test.each<[sent: object, isSame: boolean]>([
    [{ value: null, is_time_displayed: false }, true],
    [{ value: '', is_time_displayed: 'false' }, true],
    [{ value: null, is_time_displayed: true }, false],
    [{ value: null }, false],
    [{ value: 0, is_time_displayed: false }, false],
    [{ value: 'null', is_time_displayed: false }, false],
  ])('nothing as %j: %s', async (sent, isSame) => {
    expect(await isEcho(due, null, sent)).toBe(isSame)
  })

  const shown = (id: number, label: string) => ({ id, label, color: null, tlp_color: null, is_hidden: false })
  const [one, two] = [shown(barn, 'Barn'), shown(yard, 'Yard')]
  test.each<[what: string, sent: object, isSame: boolean]>([
    ['as read', { values: [one, two], bind_value_ids: [barn, yard] }, true],
    ['as XML', { values: [{ ...one, color: '', is_hidden: 'false' }, two], bind_value_ids: [`${barn}`, yard] }, true],
    ['with fewer values', { values: [one], bind_value_ids: [barn, yard] }, false],
    ['with fewer ids', { values: [one, two], bind_value_ids: [barn] }, false],
    ['with another order', { values: [one, two], bind_value_ids: [yard, barn] }, false],
    ['with another label', { values: [one, { ...two, label: 'Barn' }], bind_value_ids: [barn, yard] }, false],
    ['with another member', { values: [one, { ...two, more: 1 }], bind_value_ids: [barn, yard] }, false],
    ['with an id for a value', { values: [one, yard], bind_value_ids: [barn, yard] }, false],
    ['with a list for a value', { values: [one, [two]], bind_value_ids: [barn, yard] }, false],
    ['with its ids alone', { bind_value_ids: [barn, yard] }, false],
  ])('two list values %s: %s', async (_, sent, isSame) => {
    expect(await isEcho(places, [barn, yard], sent)).toBe(isSame)
  })

  test('is parsed where nothing is shown', async () => {
    expect(await isEcho(severity, undefined, { bind_value_ids: [high] })).toBe(false)
  })

  test('is kept if only the platform writes it', async () => {
    expect(await isEcho(number, 12, { value: 12 })).toBe(true)
  })
})
