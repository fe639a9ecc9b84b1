import { expect, test } from 'vitest'
import { parseMappings, printMappings } from './group-mappings.ts'

test('mappings are read as they are printed', () => {
  const mappings = [
    { value: 'staff', user_group: '101_3' },
    { value: 'CN=leads,O=Orchard', user_group: '3001' },
  ]
  expect(parseMappings(printMappings(mappings))).toEqual({ mappings })
  expect(parseMappings('\n staff=101_4 \n\n')).toEqual({ mappings: [{ value: 'staff', user_group: '101_4' }] })
})

test.each([
  ['staff', 1],
  ['staff = 101_3\n= 101_3', 2],
  ['staff = 101_5', 1],
  ['staff = members', 1],
])('%j is wrong in line %i', (typed, wrongLine) => {
  expect(parseMappings(typed)).toEqual({ wrongLine })
})
