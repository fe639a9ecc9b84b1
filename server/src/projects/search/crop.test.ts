import { describe, expect, test } from 'vitest'
import { cpuTimeOf } from '../../../test/cpu-time.ts'
import { cropAround, cropFrom } from './crop.ts'

const term = (...words: string[]) => ({ words, isBeginning: true })
const LONG = Array.from({ length: 100 }, (_, at) => `word${at}`).join(' ')

describe('what a text says around a hit', () => {
  test('is the whole of it, if that is short', () => {
    expect(cropAround('The pump leaks', [term('leak')])).toBe('The pump leaks')
  })

  test('is a part of it, in whole words', () => {
    const crop = cropAround(LONG, [term('word50')])
    expect(crop).toMatch(/^… word4\d .* word50 .* word\d+ …$/)
    expect(crop?.length).toBeLessThan(200)
  })

  test('is around the first of the terms that is there', () => {
    expect(cropAround(LONG, [term('word80'), term('word40'), term('nothing')])).toContain('word40 ')
  })

  test('begins and ends where the text does', () => {
    expect(cropAround(LONG, [term('word1')])).toMatch(/^word0 .* …$/)
    expect(cropAround(LONG, [term('word99')])).toMatch(/^… .* word99$/)
  })

  test('is found whatever its case and accents are', () => {
    const text = `${'Æ ﬁ ß '.repeat(40)}the CAFÉ`
    expect(cropAround(text, [term('cafe')])).toMatch(/^… .* the CAFÉ$/)
    expect(cropAround('Straße', [term('strasse')])).toBe('Straße')
  })

  test('cuts no character in two', () => {
    const crop = cropAround(`${'🌳'.repeat(200)}!pump${'🌳'.repeat(200)}`, [term('pump')])
    expect(crop?.isWellFormed()).toBe(true)
    expect(crop).toContain('pump')
  })

  test('takes a time that grows with the text and no faster', () => {
    const hostile = ['. '.repeat(100_000), 'a. '.repeat(70_000), `a${'.'.repeat(200_000)}`]
    const terms = [term('.', '!'), term('a', '.', '.', '!'), term('a.', '.a', 'a', 'b'), term('.a', '.b')]
    const took = cpuTimeOf(() => hostile.map((text) => cropAround(text, terms)))
    expect(took).toBeLessThan(1000)
  })

  test('is nothing without a hit, and then the beginning has to do', () => {
    expect(cropAround('The pump leaks', [term('valve')])).toBeUndefined()
    expect(cropAround('', [term('valve')])).toBeUndefined()
    expect(cropFrom(LONG)).toMatch(/^word0 .* …$/)
  })
})
