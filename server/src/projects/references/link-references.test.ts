import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { expectSteadyGrowth } from '../../../test/harness/cpu-time.ts'
import { renderText } from '../../platform/rich-text/render-text.ts'
import { gotoPath } from './goto-path.ts'
import { linkProjectReferences } from './link-references.ts'
import { SYSTEM_KINDS } from './reference-kind.ts'

const ORCHARD = { id: 105 }
const names = { itemNames: new Set(['bug']), projects: new Map([['quarry', 103]]) }
const link = (html: string, known = {}) => linkProjectReferences(SYSTEM_KINDS, ORCHARD, html, known)
const to = (path: string, text: string) =>
  `<a href="${path.replaceAll('&', '&amp;')}" class="cross-reference">${text}</a>`

describe('references in the text of a project', () => {
  test('become links', () => {
    expect(link(renderText('commonmark', 'Engine stops after **12 s**, see art #15.'))).toBe(
      '<p>Engine stops after <strong>12 s</strong>, see <a href="/goto?key=art&amp;val=15&amp;group_id=105" class="cross-reference">art #15</a>.</p>',
    )
  })

  test.each([
    ['closes ART #7', `closes ${to('/goto?key=art&val=7&group_id=105', 'ART #7')}`],
    ['svn #core/318', to('/goto?key=svn&val=core%2F318&group_id=105', 'svn #core/318')],
    ['art #101:7', to('/goto?key=art&val=7&group_id=101', 'art #101:7')],
    ['art #100:7', to('/goto?key=art&val=7', 'art #100:7')],
    ['art #1/ art #1', `art #1/ ${to('/goto?key=art&val=1&group_id=105', 'art #1')}`],
    ['it&#39;s art #1&amp;2', `it&#39;s ${to('/goto?key=art&val=1%262&group_id=105', 'art #1&amp;2')}`],
    ['<b>art #1</b>', `<b>${to('/goto?key=art&val=1&group_id=105', 'art #1')}</b>`],
  ])('%s becomes %s', (html, linked) => {
    expect(link(html)).toBe(linked)
  })

  test.each([
    'nothing here',
    'it&#39;s nothing',
    'unicorn #7',
    'bug #7',
    'art#7',
    'svn #318',
    'art #7/8',
    'art #quarry:7',
    'art #0:7',
    'art #9999999999999999:7',
    '<code>art #7</code>',
    '<a href="/" title="art #7">art #7</a>',
  ])('%s is unchanged', (html) => {
    expect(link(html)).toBe(html)
  })

  test('are also recognized by item names', () => {
    expect(link('Bug #7, art #8', names)).toBe(
      `${to('/goto?key=bug&val=7&group_id=105', 'Bug #7')}, ${to('/goto?key=art&val=8&group_id=105', 'art #8')}`,
    )
    expect(link('bug #7/8', names)).toBe('bug #7/8')
  })

  test('link to projects whose short names are known', () => {
    expect(link('art #Quarry:7', names)).toBe(to('/goto?key=art&val=7&group_id=103', 'art #Quarry:7'))
    expect(link('art #vault:7', names)).toBe('art #vault:7')
  })

  test('link to the same targets as extract_references', () => {
    const parts = fc.tuple(fc.stringMatching(/^\w{1,9}$/), fc.stringMatching(/^[\w&./-]{1,9}$/), fc.nat())
    fc.assert(
      fc.property(parts, ([keyword, value, id]) => {
        const url = new URL(gotoPath(keyword, value, id), 'https://waypost.example')
        expect(url.searchParams.get('key')).toBe(keyword)
        expect(url.searchParams.get('val')).toBe(value)
        expect(url.searchParams.get('group_id')).toBe(id === 100 ? null : String(id))
      }),
    )
  })

  test('are found in linear time', () => {
    const hostile = [
      'art #1 ',
      'art #a/',
      'a #',
      '<b>art #1',
      '&amp;art #1',
      '#',
      `art #${'a/'.repeat(2400)} `,
      'bug #1:',
    ]
    for (const part of hostile) {
      const html = part.repeat(Math.ceil(65_535 / part.length))
      expectSteadyGrowth((text) => link(text, names), html)
    }
  })
})
