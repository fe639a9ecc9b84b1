import { describe, expect, test } from 'vitest'
import { cpuTimeOf } from '../../../test/harness/cpu-time.ts'
import { cropAround, cropFrom } from './crop.ts'

const term = (...words: string[]) => ({ words, isBeginning: true })
const LONG = Array.from({ length: 100 }, (_, at) => `word${at}`).join(' ')

describe('the excerpt around a hit', () => {
  test('is the whole text if it is short', () => {
    expect(cropAround('The pump leaks', [term('leak')])).toBe('The pump leaks')
  })

  test('is a part of the text, in whole words', () => {
    const crop = cropAround(LONG, [term('word50')])
    expect(crop).toMatch(/^… word4\d .* word50 .* word\d+ …$/)
    expect(crop?.length).toBeLessThan(200)
  })

  test('surrounds the first matching term', () => {
    expect(cropAround(LONG, [term('word80'), term('word40'), term('nothing')])).toContain('word40 ')
  })

  test('starts and ends at the text boundaries', () => {
    expect(cropAround(LONG, [term('word1')])).toMatch(/^word0 .* …$/)
    expect(cropAround(LONG, [term('word99')])).toMatch(/^… .* word99$/)
  })

  test('ignores case and accents', () => {
    const text = `${'Æ ﬁ ß '.repeat(40)}the CAFÉ`
    expect(cropAround(text, [term('cafe')])).toMatch(/^… .* the CAFÉ$/)
    expect(cropAround('Straße', [term('strasse')])).toBe('Straße')
  })

  test('does not split a character', () => {
    const crop = cropAround(`${'🌳'.repeat(200)}!pump${'🌳'.repeat(200)}`, [term('pump')])
    expect(crop?.isWellFormed()).toBe(true)
    expect(crop).toContain('pump')
  })

  test('is computed in linear time', () => {
    const hostile = ['. '.repeat(100_000), 'a. '.repeat(70_000), `a${'.'.repeat(200_000)}`]
    const terms = [term('.', '!'), term('a', '.', '.', '!'), term('a.', '.a', 'a', 'b'), term('.a', '.b')]
    const took = cpuTimeOf(() => hostile.map((text) => cropAround(text, terms)))
    expect(took).toBeLessThan(5000)
  })

  test('is absent without a hit; the start of the text is used instead', () => {
    expect(cropAround('The pump leaks', [term('valve')])).toBeUndefined()
    expect(cropAround('', [term('valve')])).toBeUndefined()
    expect(cropFrom(LONG)).toMatch(/^word0 .* …$/)
  })
})
