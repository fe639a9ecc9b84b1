import type { ListedObject } from '@waypost/sdk/api'
import { describe, expect, test } from 'vitest'
import { chooseCards } from './personal-lists.ts'

const listed = (kind: ListedObject['kind'], id: number): ListedObject => ({
  kind,
  id,
  uri: `${kind}s/${id}`,
  html_url: `/${kind}s/${id}`,
  label: `${kind} ${id}`,
  xref: null,
  tracker: null,
  project: { id: 1, uri: 'projects/1', label: 'Garden', icon: '' },
  on: '2026-11-18T10:00:00+00:00',
})
const seen = [1, 2, 3, 4, 5].map((id) => listed('artifact', id))
const starred = [11, 12, 13, 14, 15].map((id) => listed('tracker', id))
const chosen = (favourites: readonly ListedObject[], recent: readonly ListedObject[]) =>
  chooseCards(favourites, recent).map(({ object, isFavourite }) => `${object.id}${isFavourite ? '*' : ''}`)

describe('the cards of the home page', () => {
  test('are two of each if there are enough', () => {
    expect(chosen(starred, seen)).toEqual(['1', '2', '11*', '12*'])
  })

  test('are more of one if there are few of the other', () => {
    expect(chosen([], seen)).toEqual(['1', '2', '3', '4'])
    expect(chosen(starred.slice(0, 1), seen)).toEqual(['1', '2', '3', '11*'])
    expect(chosen(starred, seen.slice(0, 1))).toEqual(['1', '11*', '12*', '13*'])
    expect(chosen(starred, [])).toEqual(['11*', '12*', '13*', '14*'])
    expect(chosen([], [])).toEqual([])
  })

  test('show each object once, and no project that was only seen', () => {
    expect(chosen(seen.slice(0, 1), seen)).toEqual(['2', '3', '4', '1*'])
    expect(chosen([], [listed('project', 1), ...seen.slice(0, 1)])).toEqual(['1'])
  })
})
