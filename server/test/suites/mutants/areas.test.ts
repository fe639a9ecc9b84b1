import { expect, test } from 'vitest'
import { AREAS, listFiles } from './areas.ts'

test.each(Object.entries(AREAS))('every pattern of %s matches a file', (_, { sources, tests }) => {
  for (const pattern of [...sources, ...tests]) expect(listFiles([pattern])).not.toEqual([])
})

test('a pattern that matches no file is refused', () => {
  expect(() => listFiles(['server/src/*/visibility.ts', 'server/test/moved-away.test.ts'])).toThrow(
    'No file matches server/test/moved-away.test.ts.',
  )
})

test('files are listed once, in the order of the patterns and of their names', () => {
  expect(listFiles(['server/src/trackers/visibility.ts', 'server/src/{trackers,projects}/visibility.ts'])).toEqual([
    'server/src/trackers/visibility.ts',
    'server/src/projects/visibility.ts',
  ])
})
