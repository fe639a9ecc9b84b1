import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { startWorld } from '../../../test/harness/start-world.ts'

const { api } = await startWorld()

describe('/api/explorer', () => {
  test.each(['/api/explorer', '/api/v1/explorer'])(
    '%s redirects to the page, which ends with a slash',
    async (path) => {
      const { status, headers } = await api.get(`${path}?deep=1`)

      expect(status).toBe(301)
      expect(headers.location).toBe(`${path}/?deep=1`)
    },
  )

  test('is a page that runs only scripts of this server', async () => {
    const { status, headers, text } = await api.get('/api/explorer/')

    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers['content-security-policy']).toContain("script-src 'self'")
    expect(headers['content-security-policy']).not.toContain('unsafe')
    expect(text).not.toMatch(/https?:|<script>|<style|style=|\son\w+=/)
  })

  test('needs no credentials, and ignores invalid ones', async () => {
    const headers = { 'x-auth-accesskey': 'nonsense' }

    expect((await api.get('/api/explorer/', { headers })).status).toBe(200)
    expect((await api.get('/api/explorer/swagger.json', { headers })).status).toBe(200)
  })

  test.each([
    ['explorer.js', 'text/javascript; charset=utf-8'],
    ['explorer.css', 'text/css; charset=utf-8'],
    ['icon.svg', 'image/svg+xml'],
    ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
    ['swagger-ui.css', 'text/css; charset=utf-8'],
    ['openapi.json', 'application/json; charset=utf-8'],
    ['swagger.json', 'application/json; charset=utf-8'],
  ])('serves %s, and 304 to a browser that has it', async (name, type) => {
    const { status, headers } = await api.get(`/api/explorer/${name}`)
    const again = await api.get(`/api/v1/explorer/${name}`, { headers: { 'if-none-match': headers['etag'] } })

    expect(status).toBe(200)
    expect(headers['content-type']).toBe(type)
    expect(again.status).toBe(304)
    expect(again.text).toBe('')
  })

  test('serves no other file', async () => {
    for (const name of ['package.json', 'swagger-ui-bundle.js.map', '..%2fpackage.json', 'index.html']) {
      const { status, json } = await api.get(`/api/explorer/${name}`)

      expect(status).toBe(404)
      expect(json.error.reason).toBe('route_not_found')
    }
  })

  test('is read-only', async () => {
    const { status, headers, json } = await api.post('/api/explorer/swagger.json')

    expect(status).toBe(405)
    expect(headers.allow).toBe('OPTIONS, GET')
    expect(json.error.reason).toBe('method_not_allowed')
  })
})

describe('/api/openapi.json', () => {
  test.each(['/api/openapi.json', '/api/v1/openapi.json'])('%s is the API description, for everyone', async (path) => {
    const answer = await api.get(path, { headers: { 'x-auth-accesskey': 'nonsense' } })

    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(answer.json).toEqual(JSON.parse(readFileSync('openapi.json', 'utf8')))
    const again = await api.get(path, { headers: { 'if-none-match': answer.headers['etag'] } })
    expect([again.status, again.text]).toEqual([304, ''])
  })

  test('is read-only', async () => {
    expect((await api.post('/api/openapi.json')).status).toBe(405)
    expect((await api.request('OPTIONS', '/api/openapi.json')).headers.allow).toBe('OPTIONS, GET')
  })
})
