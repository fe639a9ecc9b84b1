import { expect, test } from 'vitest'
import { nextSlot, placeOfSlot } from './board-slots.ts'
import { sampleArtifact } from '../../test/sample-artifact.ts'

const cards = [11, 12, 13].map((id) => sampleArtifact(id))

test('a slot moves up and down between the cards, and stops at the ends', () => {
  expect(nextSlot(cards, 12, 1)).toBe(13)
  expect(nextSlot(cards, 13, 1)).toBeUndefined()
  expect(nextSlot(cards, undefined, 1)).toBeUndefined()
  expect(nextSlot(cards, undefined, -1)).toBe(13)
  expect(nextSlot(cards, 11, -1)).toBe(11)
  expect(nextSlot([], undefined, 1)).toBeUndefined()
})

test('a slot is a place before the card that follows, or after the last one', () => {
  expect(placeOfSlot(cards, 12)).toEqual({ side: 'before', anchor: 12 })
  expect(placeOfSlot(cards, undefined)).toEqual({ side: 'after', anchor: 13 })
  expect(placeOfSlot([], undefined)).toBeUndefined()
})
