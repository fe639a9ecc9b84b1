import { expect, test } from 'vitest'
import { describeEvent } from './describe-event.ts'

const event = { type: 'artifact.updated', has_comment: false, changed: ['status'] }

test.each([
  [event, 'changed it'],
  [{ ...event, has_comment: true }, 'changed it and commented'],
  [{ ...event, has_comment: true, changed: [] }, 'commented'],
  [{ ...event, type: 'artifact.deleted', changed: [] }, 'deleted it'],
  [{ ...event, type: 'svn.commit' }, 'svn.commit'],
])('%o is described as %s', (given, said) => {
  expect(describeEvent(given)).toBe(said)
})
