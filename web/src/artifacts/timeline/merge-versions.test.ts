import type { Changeset } from '@waypost/sdk/api'
import { expect, test } from 'vitest'
import { mergeVersions } from './merge-versions.ts'

const MARA = 7
const TOM = 8

function version(number: number, author: number, minute: number, more: Partial<Changeset> = {}): Changeset {
  const person = { id: author, uri: '', user_url: '', real_name: null, display_name: '', username: null } as const
  return {
    id: 1000 + number,
    version: number,
    submitted_by: author,
    submitted_by_details: { ...person, ldap_id: null, avatar_url: '', is_anonymous: false, has_avatar: false },
    submitted_on: new Date(Date.UTC(2026, 10, 18, 9, minute)).toISOString(),
    email: null,
    last_comment: { body: '', post_processed_body: '', format: 'text', ugroups: null },
    values: [],
    last_modified_by: null,
    last_modified_date: '',
    changes: [],
    ...more,
  }
}
const change = (field_id: number, before: unknown, after: unknown) => ({ field_id, before, after })
const spoken = (body: string) => ({ body, post_processed_body: body, format: 'text' as const, ugroups: null })

test('changes by one person within five minutes are one entry, with the values before and after all of them', () => {
  const entries = mergeVersions([
    version(1, MARA, 0),
    version(2, MARA, 1, { changes: [change(5, 'Open', 'Working'), change(6, null, 3)] }),
    version(3, MARA, 5, { changes: [change(5, 'Working', 'Closed'), change(7, 1, 2)] }),
    version(4, TOM, 6, { changes: [change(6, 3, 5)] }),
    version(5, TOM, 20, { changes: [change(6, 5, 8)] }),
  ])
  expect(entries.map(({ versions }) => versions)).toEqual([[1], [2, 3], [4], [5]])
  expect(entries[1]?.changes).toEqual([change(5, 'Open', 'Closed'), change(6, null, 3), change(7, 1, 2)])
})

test('a comment stays alone, and a value that came back is no change', () => {
  const entries = mergeVersions([
    version(2, MARA, 1, { changes: [change(5, 'Open', 'Working')] }),
    version(3, MARA, 2, { changes: [change(5, 'Working', 'Open'), change(6, 1, 2)] }),
    version(4, MARA, 3, { last_comment: spoken('Done.') }),
    version(5, MARA, 4, { changes: [change(5, 'Open', 'Closed')] }),
    version(6, MARA, 4, { last_comment: { ...spoken(''), is_deleted: true } }),
  ])
  expect(entries.map(({ versions }) => versions)).toEqual([[2, 3], [4], [5], [6]])
  expect(entries.map(({ changeset }) => changeset)).toEqual([1003, 1004, 1005, 1006])
  expect(entries[0]?.changes).toEqual([change(6, 1, 2)])
  expect(entries[1]?.comment?.body).toBe('Done.')
})
