/**
 * The extent of the tests, from `WAYPOST_TEST_LEVEL`. quick: `npm test`, for each change. ci: `.ci/run`, everything
 * that protects data and permissions. full: `npm run test:full`, all combinations.
 */
export type TestLevel = 'quick' | 'ci' | 'full'

export const TEST_LEVEL = parseLevel(process.env['WAYPOST_TEST_LEVEL'] ?? 'quick')
export const isFull = TEST_LEVEL === 'full'

function parseLevel(given: string): TestLevel {
  if (given === 'quick' || given === 'ci' || given === 'full') return given
  throw new Error(`WAYPOST_TEST_LEVEL is ${given}, and must be quick, ci or full.`)
}
