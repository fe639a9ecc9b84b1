import { expect, test } from 'vitest'
import { describeEvent } from './describe-event.ts'

const event = { type: 'artifact.updated', has_comment: false, changed: ['status'] }

test.each([
  ['changed', event, 'Olga changed it'],
  ['commented', { ...event, has_comment: true }, 'Olga changed it and commented'],
  ['commented', { ...event, has_comment: true, changed: [] }, 'Olga'],
  ['mention', { ...event, has_comment: true, changed: [] }, 'Olga'],
  ['closed', event, 'Olga closed it'],
  ['closed', { ...event, has_comment: true }, 'Olga closed it'],
  ['assigned', event, 'Olga assigned it to you'],
  ['deleted', { ...event, type: 'artifact.deleted', changed: [] }, 'Olga deleted it'],
  ['other', { ...event, type: 'svn.commit' }, 'Olga svn.commit'],
] as const)('%s: %o is described as %s', (kind, given, said) => {
  expect(describeEvent('Olga', { kind, event: { ...given, changed: [...given.changed] } })).toBe(said)
})
