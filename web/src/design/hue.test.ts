import { expect, test } from 'vitest'
import { hueById, toHue } from './hue.ts'

test('a free colour becomes the nearest of the twelve hues', () => {
  const colors = ['#ff0000', '#e0761a', '#f2cb3a', '#3fa535', '#00838a', '#2f86d6', '#6b2a86', '#d6347f', '#7a5230']
  expect(colors.map(toHue)).toEqual(['red', 'orange', 'amber', 'green', 'teal', 'blue', 'purple', 'pink', 'brown'])
  expect(['#000000', '#ffffff', '#8b9096', '#ff0010'].map(toHue)).toEqual(['gray', 'gray', 'gray', 'red'])
})

test('a name of the palette has a hue, and anything else is gray', () => {
  expect(['fiesta-red', 'deep-blue', 'toString', '', null, undefined].map(toHue)).toEqual([
    'red',
    'indigo',
    'gray',
    'gray',
    'gray',
    'gray',
  ])
})

test('the hue of an id is never gray, and neighbours differ', () => {
  const hues = Array.from({ length: 24 }, (_, id) => hueById(id))
  expect(hues).not.toContain('gray')
  expect(hues.every((hue, index) => hue !== hues[index + 1])).toBe(true)
})
