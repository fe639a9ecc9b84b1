import { describe, expect, test } from 'vitest'
import { startWorld } from '../../../test/harness/start-world.ts'
import { OLGA, TOM, VICTOR } from '../../../test/fixtures/people.ts'
import { MARSH, ORCHARD, VAULT } from '../../../test/fixtures/seed-ids.ts'

const { api } = await startWorld()

const go = (parameters: string, as?: typeof TOM) => api.get(`/goto?${parameters}`, as && { as })

describe('GET /goto', () => {
  test.each([
    { parameters: `key=art&val=2041&group_id=${ORCHARD}`, page: '/artifacts/2041' },
    { parameters: 'key=ART&val=2041', page: '/artifacts/2041' },
    { parameters: 'key=art&val=2041&group_id=100', page: '/artifacts/2041' },
    {
      parameters: `key=svn&val=core%2F318&group_id=${ORCHARD}`,
      page: '/projects/orchard/repositories/core/revisions/318',
    },
    {
      parameters: `key=svn&val=a%26b/318&group_id=${ORCHARD}`,
      page: '/projects/orchard/repositories/a%26b/revisions/318',
    },
  ])('redirects $parameters to $page', async ({ parameters, page }) => {
    const { status, headers } = await go(parameters)
    expect(status).toBe(302)
    expect(headers['location']).toBe(page)
    expect(headers['cache-control']).toBe('no-store')
  })

  test('resolves the results of extract_references', async () => {
    const { json } = await api.post(`/projects/${VAULT}/extract_references`, {
      as: VICTOR,
      body: { text: 'svn #core/1' },
    })
    const { pathname, search } = new URL(json[0].link)
    const { headers } = await api.get(pathname + search, { as: VICTOR })
    expect(headers['location']).toBe('/projects/vault/repositories/core/revisions/1')
  })

  test.each([
    { parameters: `key=art&val=1&group_id=${VAULT}`, who: undefined, status: 401, reason: 'authentication_required' },
    { parameters: 'key=art&val=1&group_id=2999', who: undefined, status: 401, reason: 'authentication_required' },
    { parameters: `key=art&val=1&group_id=${VAULT}`, who: OLGA, status: 404, reason: 'not_found' },
    { parameters: 'key=art&val=1&group_id=2999', who: OLGA, status: 404, reason: 'not_found' },
    { parameters: `key=art&val=1&group_id=${MARSH}`, who: TOM, status: 404, reason: 'project_suspended' },
    { parameters: 'key=unicorn&val=1', who: TOM, status: 404, reason: 'not_found' },
    { parameters: 'key=art&val=1/2', who: TOM, status: 404, reason: 'not_found' },
    { parameters: 'key=art&val=//evil.example', who: TOM, status: 404, reason: 'not_found' },
    { parameters: 'key=art&val=../../x', who: TOM, status: 404, reason: 'not_found' },
    { parameters: 'key=art&val=1&group_id=x', who: TOM, status: 400, reason: 'id_malformed' },
    { parameters: 'key=art', who: TOM, status: 400, reason: 'parameter_required' },
    { parameters: 'val=1', who: TOM, status: 400, reason: 'parameter_required' },
    { parameters: 'key=art&key=svn&val=1', who: TOM, status: 400, reason: 'parameter_required' },
  ])('refuses $parameters to $who.login with $reason', async ({ parameters, who, status, reason }) => {
    const answer = await go(parameters, who)
    expect(answer.status).toBe(status)
    expect(answer.json.error.reason).toBe(reason)
  })

  test('honours credentials, and refuses invalid ones', async () => {
    const wrong = await api.get('/goto?key=art&val=1', { headers: { 'x-auth-accesskey': 'nonsense' } })
    expect(wrong.status).toBe(401)
    expect(wrong.headers['www-authenticate']).toContain('AccessKey')
  })

  test('uses the session only for same-site or direct navigation', async () => {
    const cookie = '__Host-waypost=unknown'
    const visit = (headers: Record<string, string>) =>
      api.get('/goto?key=art&val=1', { headers: { cookie, ...headers } })
    expect((await visit({ 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate' })).status).toBe(401)
    expect((await visit({ 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' })).status).toBe(401)
    expect((await visit({})).status).toBe(401)
    // The cookie is ignored: this request is anonymous.
    expect((await visit({ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' })).status).toBe(302)
    expect((await visit({ referer: 'https://mail.example/' })).status).toBe(302)
  })
})
