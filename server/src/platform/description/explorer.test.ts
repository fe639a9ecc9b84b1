import { describe, expect, test } from 'vitest'
import { CHROMIUM, startBrowser } from '../../../test/browser.ts'
import { startWorld } from '../../../test/harness.ts'
import { TOM } from '../../../test/people.ts'

const { api } = await startWorld()

describe('/api/explorer', () => {
  test.each(['/api/explorer', '/api/v1/explorer'])(
    '%s leads to the page, which has a slash at its end',
    async (path) => {
      const { status, headers } = await api.get(`${path}?deep=1`)

      expect(status).toBe(301)
      expect(headers.location).toBe(`${path}/?deep=1`)
    },
  )

  test('is a page that runs scripts of this server only', async () => {
    const { status, headers, text } = await api.get('/api/explorer/')

    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers['content-security-policy']).toContain("script-src 'self'")
    expect(headers['content-security-policy']).not.toContain('unsafe')
    expect(text).not.toMatch(/https?:|<script>|<style|style=|\son\w+=/)
  })

  test('needs no credentials, and does not mind wrong ones', async () => {
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
  ])('serves %s, once to a browser that keeps it', async (name, type) => {
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

  test('is only read', async () => {
    const { status, headers, json } = await api.post('/api/explorer/swagger.json')

    expect(status).toBe(405)
    expect(headers.allow).toBe('OPTIONS, GET')
    expect(json.error.reason).toBe('method_not_allowed')
  })

  test.skipIf(CHROMIUM === undefined)(
    'runs a real call with a key, in a browser without the internet (needs Chromium: npm run setup)',
    { timeout: 60_000 },
    async () => {
      await using browser = await startBrowser()
      const page = await browser.newPage({ viewport: { width: 1280, height: 1000 } })
      const complaints: string[] = []
      page.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())))
      page.on('pageerror', (error) => void complaints.push(error.message))
      page.on('requestfailed', (request) => void complaints.push(request.url()))

      await page.goto(`${api.origin}/api/explorer/`)
      await page.getByRole('button', { name: 'Authorize' }).click()
      const key = page.locator('.auth-container', { hasText: 'X-Auth-AccessKey' })
      await key.locator('input').fill(TOM.key)
      await key.getByRole('button', { name: 'Apply credentials' }).click()
      await page.getByRole('button', { name: 'Close', exact: true }).click()

      // Of so many operations only those in sight are drawn.
      await page.getByPlaceholder('Filter by tag').fill('projects')
      const operation = page.locator('#operations-projects-listProjects')
      await operation
        .getByRole('button', { name: /projects/ })
        .first()
        .click()
      const answered = page.waitForResponse((response) => new URL(response.url()).pathname === '/api/projects')
      await operation.getByRole('button', { name: 'Execute' }).click()
      const response = await answered

      expect(response.status()).toBe(200)
      expect(await response.request().headerValue('x-auth-accesskey')).toBe(TOM.key)
      const shown = operation.locator('.live-responses-table tbody')
      expect(await shown.locator('.response-col_status').first().textContent()).toContain('200')
      expect(await shown.textContent()).toContain('"shortname": "orchard"')
      expect(complaints).toEqual([])
    },
  )
})
