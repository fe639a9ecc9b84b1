import { describe, expect, test } from 'vitest'
import { startWorld } from '../../../test/harness/start-world.ts'
import { MARA, OLGA, TOM, VICTOR } from '../../../test/fixtures/people.ts'
import { MARSH, ORCHARD, ORCHARD_SVN, QUARRY, VAULT } from '../../../test/fixtures/seed-ids.ts'

const { api, context } = await startWorld()

const extract = (text: unknown, as?: typeof TOM, id: number = ORCHARD) =>
  api.post(`/projects/${id}/extract_references`, { ...(as && { as }), body: { text } })
const link = (key: string, val: string, id: number = ORCHARD) =>
  `https://waypost.example/goto?key=${key}&val=${val}&group_id=${id}`

describe('POST /projects/{id}/extract_references', () => {
  test('returns the targets of the references in a text', async () => {
    const { status, json } = await extract('see art #2041')
    expect(status).toBe(200)
    expect(json).toEqual([{ text: 'art #2041', link: link('art', '2041'), context: '' }])
  })

  test.each([
    { text: 'closes Artifact #7, rev #core/318', found: [link('artifact', '7'), link('rev', 'core%2F318')] },
    { text: 'svn #core/318 revision #core/319', found: [link('svn', 'core%2F318'), link('revision', 'core%2F319')] },
    { text: 'art #ORCHARD:7', found: [link('art', '7')] },
    { text: `art #${ORCHARD}:7`, found: [link('art', '7')] },
    { text: 'nothing here', found: [] },
    { text: '', found: [] },
    { text: 'unicorn #7', found: [] },
    { text: 'svn #318', found: [] },
    { text: 'art #7/8', found: [] },
    { text: 'svn #vault:core/1', found: [] },
    { text: 'svn #nowhere:core/1', found: [] },
    { text: `svn #${VAULT}:core/1`, found: [] },
    { text: 'svn #99999999999999999999:core/1', found: [] },
    { text: 'art #nursery:7', found: [] },
  ])('finds $found in $text', async ({ text, found }) => {
    expect((await extract(text, TOM)).json.map((each: { link: string }) => each.link)).toEqual(found)
  })

  test('resolves references into every project that the viewer may enter', async () => {
    const { json } = await extract(`closes svn #vault:core/1 and svn #core/1`, VICTOR, VAULT)
    expect(json).toEqual([
      { text: 'svn #vault:core/1', link: link('svn', 'core%2F1', VAULT), context: 'closes' },
      { text: 'svn #core/1', link: link('svn', 'core%2F1', VAULT), context: '' },
    ])
    expect((await extract('svn #vault:core/1', VICTOR, ORCHARD)).json).toHaveLength(1)
    expect((await extract('art #7', VICTOR, QUARRY)).json).toEqual([])
  })

  test('ignores the keywords of a disabled service', async () => {
    await api.put(`/project_services/${ORCHARD_SVN}`, { as: MARA, body: { is_enabled: false } })
    expect((await extract('svn #core/1, art #7')).json).toMatchObject([{ text: 'art #7' }])
  })

  test('uses the reference kinds of other modules', async () => {
    const kinds = context.referenceKinds
    Object.assign(context, { referenceKinds: [...kinds, { keywords: ['build'], link: '/builds/$1/$2/$3' }] })
    try {
      expect((await extract('build #a/b/c, build #a')).json).toMatchObject([{ text: 'build #a/b/c' }])
    } finally {
      Object.assign(context, { referenceKinds: kinds })
    }
  })

  test.each([
    { who: undefined, id: VAULT, status: 401, reason: 'authentication_required' },
    { who: undefined, id: 2999, status: 401, reason: 'authentication_required' },
    { who: OLGA, id: VAULT, status: 404, reason: 'not_found' },
    { who: OLGA, id: 2999, status: 404, reason: 'not_found' },
    { who: TOM, id: MARSH, status: 404, reason: 'project_suspended' },
  ])('is hidden with the project $id from $who.login', async ({ who, id, status, reason }) => {
    const answer = await extract('art #7', who, id)
    expect(answer.status).toBe(status)
    expect(answer.json.error.reason).toBe(reason)
  })

  test('requires a text', async () => {
    expect((await extract(undefined)).json.error.reason).toBe('parameter_required')
    expect((await extract(7)).json.error.reason).toBe('parameter_invalid')
    expect((await extract('x'.repeat(1_000_001), TOM)).json.error.reason).toBe('parameter_out_of_range')
  })

  test('accepts and returns XML', async () => {
    const { text } = await api.post(`/projects/${ORCHARD}/extract_references`, {
      headers: { 'content-type': 'application/xml', accept: 'application/xml' },
      body: '<request><text>art #7</text></request>',
    })
    expect(text).toContain('<response><item><text>art #7</text>')
  })
})
