import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ApiError } from '../messages/errors.ts'
import { countFitting, cutObject } from './max-bytes.ts'

const size = (value: unknown) => Buffer.byteLength(JSON.stringify(value))
const cut = (value: object, maximum: number) => cutObject(structuredClone({ ...value }), maximum)

describe('an object that is too large', () => {
  test('that fits is unchanged', () => {
    expect(cut({ id: 1, text: 'short' }, 1024)).toEqual({ id: 1, text: 'short' })
  })

  test('has its longest texts cut to one length, and shorter ones unchanged', () => {
    const value = { id: 1, title: 'Pump leaks', values: [{ value: 'a'.repeat(900) }, { value: 'b'.repeat(5000) }] }
    const made = cut(value, 1500)
    expect(size(made)).toBeLessThanOrEqual(1500)
    expect(size(made)).toBeGreaterThan(1490)
    expect(made).toMatchObject({
      title: 'Pump leaks',
      values: [{ value: expect.stringMatching(/^a+$/) }, { value: expect.stringMatching(/^b+$/) }],
      truncated: [
        { path: 'values[0].value', bytes: 900 },
        { path: 'values[1].value', bytes: 5000 },
      ],
    })
  })

  test('has only the one very long text cut, if that suffices', () => {
    const made = cut({ note: 'n'.repeat(300), text: '🌳'.repeat(3000) }, 2000)
    expect(made['note']).toHaveLength(300)
    expect(made['truncated']).toEqual([{ path: 'text', bytes: 12_000 }])
    expect(made['text']).toMatch(/^(🌳)+$/u)
  })

  test('loses entries of the longest list if cutting texts does not suffice, and reports the original size', () => {
    const value = {
      id: 1,
      few: [1, 2, 3],
      many: Array.from({ length: 500 }, (_, id) => ({ id, label: `Entry ${id}` })),
    }
    const made = cut(value, 2000)
    expect(size(made)).toBeLessThanOrEqual(2000)
    expect(made['few']).toEqual([1, 2, 3])
    expect(made['many']).toEqual(value.many.slice(0, Array.isArray(made['many']) ? made['many'].length : 0))
    expect(made['truncated']).toEqual([{ path: 'many', bytes: size(value.many) }])
  })

  test('reports nothing of texts whose entry was removed', () => {
    const value = { entries: Array.from({ length: 100 }, (_, id) => ({ id, text: 't'.repeat(500) })) }
    const made = cut(value, 1024)
    const left = Array.isArray(made['entries']) ? made['entries'].length : -1
    expect(left).toBeGreaterThan(0)
    const paths = Array.isArray(made['truncated']) ? made['truncated'].map(({ path }) => path) : []
    expect(paths).toEqual([...Array.from({ length: left }, (_, place) => `entries[${place}].text`), 'entries'])
  })

  test('never has a URL cut', () => {
    const html_url = `https://waypost.example/${'x'.repeat(500)}`
    expect(cut({ html_url, text: 't'.repeat(5000) }, 1024)['html_url']).toBe(html_url)
  })

  test('is refused with the required size if its smallest form does not fit', () => {
    const value = { html_url: 'x'.repeat(3000), text: 't'.repeat(5000), list: [1, 2, 3] }
    const minimum = minimumOf(() => cut(value, 1024))
    expect(size(cut(value, minimum))).toBeLessThanOrEqual(minimum)
    expect(minimumOf(() => cut(value, minimum - 1))).toBe(minimum)
  })

  test('fits for any input', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 3000 })
    const object = fc.record({
      id: fc.integer(),
      title: text,
      values: fc.array(fc.record({ field_id: fc.integer(), value: text }), { maxLength: 30 }),
      tracker: fc.record({ label: text, list: fc.array(text) }),
    })
    fc.assert(
      fc.property(object, fc.integer({ min: 1024, max: 20_000 }), (value, maximum) => {
        const minimum = minimumOf(() => cut(value, maximum))
        const made = cut(value, Number.isNaN(minimum) ? maximum : minimum)
        expect(maximum).toBeLessThan(Number.isNaN(minimum) ? maximum + 1 : minimum)
        expect(size(made)).toBeLessThanOrEqual(Number.isNaN(minimum) ? maximum : minimum)
        expect(JSON.stringify(made)).not.toMatch(/\\ud[89a-f]/i)
        expect('truncated' in made).toBe(size(value) > maximum)
      }),
      { numRuns: 200 },
    )
  })
})

describe('a list that is too large', () => {
  test('keeps as many elements as fit', () => {
    const elements = ['aa', 'bb', 'cc']
    expect(countFitting(elements, 2, size(elements))).toBe(3)
    expect(countFitting(elements, 2, size(elements) - 1)).toBe(2)
    expect(countFitting([], 2, 2)).toBe(0)
  })

  test('is refused if no element fits', () => {
    expect(minimumOf(() => countFitting(['a'.repeat(50)], 2, 40))).toBe(54)
  })
})

function minimumOf(work: () => unknown): number {
  try {
    work()
  } catch (error) {
    if (error instanceof ApiError) return Number(Object.entries(error.details?.allowed ?? {})[0]?.[1])
  }
  return Number.NaN
}
