import { describe, expect, test } from 'vitest'
import { CRATE_FIELDS, sampleTracker } from '../../../test/fixtures/sample-tracker.ts'
import { ORCHARD } from '../../../test/fixtures/seed-ids.ts'
import { SYSTEM_KINDS } from '../../projects/references/reference-kind.ts'
import { compareReferences, findTextReferences } from './text-references.ts'

const { summary, points } = CRATE_FIELDS
const tracker = sampleTracker()
const scope = { tracker, referenceKinds: SYSTEM_KINDS }
const find = (content: string, format: 'text' | 'html' = 'text') =>
  findTextReferences(scope, summary, { format, content })

describe('a reference', () => {
  test.each<[text: string, expected: object[]]>([
    ['see art #12', [{ ref: 'art #12', keyword: 'art', value: '12', of_project: ORCHARD, target: 12 }]],
    ['see crate #12', [{ keyword: 'crate', of_project: ORCHARD, target: 12 }]],
    ['see crate #bark', []],
    ['see apple #12', []],
    ['see art #orchard:12', [{ ref: 'art #orchard:12', of_project: ORCHARD, target: 12 }]],
    ['see art #Orchard:12', [{ ref: 'art #Orchard:12', of_project: ORCHARD, target: 12 }]],
    ['see art #quarry:12', [{ ref: 'art #quarry:12', of_project: 'quarry', target: 12 }]],
    ['see art #107:12', [{ ref: 'art #107:12', of_project: 107, target: 12 }]],
    ['see svn #core/318', [{ keyword: 'svn', value: 'core/318', of_project: ORCHARD, target: null }]],
    ['see svn #318', []],
    ['see art #bark', [{ keyword: 'art', value: 'bark', target: null }]],
    ['see art 12', []],
    ['', []],
  ])('in "%s"', (text, expected) => {
    expect(find(text)).toEqual(expected.map((each) => expect.objectContaining({ field: summary, ...each })))
  })

  test('to a kind that is no artifact has no target, even if its value is a number', () => {
    const referenceKinds = [{ keywords: ['wiki'], link: '/wiki/$1' }]
    const found = findTextReferences({ tracker, referenceKinds }, 0, { format: 'text', content: 'wiki #12' })
    expect(found).toMatchObject([{ field: 0, keyword: 'wiki', value: '12', target: null }])
  })

  test('in HTML is found in its text, not in its tags', () => {
    expect(find('<p title="art #5">art&nbsp;#6 art #7</p>', 'html').map(({ value }) => value)).not.toContain('5')
    expect(find('<b>art</b> #7', 'html')).toMatchObject([{ value: '7' }])
  })
})

describe('a change', () => {
  const changed = tracker.elements.filter(({ id }) => id === summary || id === points)
  const compare = (was: string | undefined, is: string | undefined) => {
    const { added, removed } = compareReferences(
      scope,
      changed,
      was === undefined ? {} : { [summary]: was, [points]: 3 },
      is === undefined ? {} : { [summary]: is, [points]: 5 },
    )
    return { added: added.map(({ ref }) => ref), removed: removed.map(({ ref }) => ref) }
  }

  test('adds what is there now, and removes what is not', () => {
    expect(compare(undefined, 'art #1 and art #2')).toEqual({ added: ['art #1', 'art #2'], removed: [] })
    expect(compare('art #1 and art #2', 'art #2')).toEqual({ added: ['art #2'], removed: ['art #1'] })
    expect(compare('art #1', undefined)).toEqual({ added: [], removed: ['art #1'] })
  })

  test('removes also what is no longer known as a reference', () => {
    expect(compare('apple #1', 'apple #2')).toEqual({ added: [], removed: ['apple #1'] })
  })
})
