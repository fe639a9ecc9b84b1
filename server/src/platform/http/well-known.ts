import { readFile } from 'node:fs/promises'
import { languages } from '../messages/catalogue.ts'
import { ApiError } from '../messages/errors.ts'
import type { WebPage, WebPageResponse } from './web-page.ts'

const TEXT = 'text/plain; charset=utf-8'
const MARKDOWN = 'text/markdown; charset=utf-8'
const DAY_MS = 86_400_000
/** RFC 9116 recommends less than a year. */
const SECURITY_TXT_DAYS = 180
const ONE_DAY = { 'cache-control': 'public, max-age=86400' }

/** Where to report vulnerabilities (RFC 9116). Without a contact there is no such file. */
const securityTxt = publicPage('/.well-known/security.txt', async ({ context }) => {
  const { contact_email } = context.settings.current
  if (contact_email === '') throw new ApiError('not_set', { path: 'contact_email' })
  const expires = Math.floor(context.clock.now().getTime() / DAY_MS + SECURITY_TXT_DAYS) * DAY_MS
  const lines = [
    `Contact: mailto:${encodeURI(contact_email)}`,
    `Expires: ${new Date(expires).toISOString().replace('.000', '')}`,
    `Preferred-Languages: ${languages().join(', ')}`,
    `Canonical: ${new URL('/.well-known/security.txt', context.config.WAYPOST_PUBLIC_URL).href}`,
  ]
  return { type: TEXT, content: `${lines.join('\n')}\n` }
})

/** Password managers open it to find the form (W3C, change-password). */
const changePassword = publicPage('/.well-known/change-password', async () => ({ leadsTo: '/account/security' }))

/** Crawlers find nothing in the API and in personal pages; nothing at all where anonymous access is off. */
const robotsTxt = publicPage('/robots.txt', async ({ context }) => {
  const rules = context.settings.current.anonymous_access
    ? ['Allow: /api/explorer/', 'Allow: /api/openapi.json', ...CLOSED_TO_CRAWLERS.map((path) => `Disallow: ${path}`)]
    : ['Disallow: /']
  return { type: TEXT, content: `${['User-agent: *', ...rules].join('\n')}\n` }
})

const CLOSED_TO_CRAWLERS = ['/api/', '/account', '/administration', '/files/', '/goto', '/sign-in', '/unsubscribe/']

/** A summary for language models (llmstxt.org). It tells nothing about the contents of this installation. */
const llmsTxt = publicPage('/llms.txt', async () => ({ type: MARKDOWN, content: LLMS_TXT }))

const favicon = publicPage('/favicon.ico', async () => ({
  type: 'image/vnd.microsoft.icon',
  content: await readFile(new URL('../../../assets/favicon.ico', import.meta.url)),
  headers: ONE_DAY,
}))

/** Files that programs look for at fixed addresses. */
export const WELL_KNOWN_PAGES: readonly WebPage[] = [securityTxt, changePassword, robotsTxt, llmsTxt, favicon]

function publicPage(path: string, open: (visit: Parameters<WebPage['open']>[0]) => Promise<WebPageResponse>): WebPage {
  return { path, staysOpen: true, ignoresCredentials: true, open }
}

const LLMS_TXT = `# Waypost

> Self-hosted project collaboration: projects, trackers with artifacts, files, Subversion repositories, webhooks. \
Everything that the pages show is in one REST API under \`/api\`.

Sign in with a personal access key in the header \`X-Auth-AccessKey\`; public data needs none. Bodies and answers are \
JSON. Lists have \`limit\` and \`offset\`, and their exact size in \`X-PAGINATION-SIZE\`. Every write takes \`dry_run=true\`, \
which reports and changes nothing, and an \`Idempotency-Key\`, with which a repetition is executed once. Every error has a \
\`reason\` of a closed list, and \`details\` that say what is allowed.

## API

- [Description](/api/openapi.json): OpenAPI 3.1, every operation with its parameters, schemas and errors
- [Explorer](/api/explorer/): the same as a page on which calls can be tried
- [Tracker definition](/api/schemas/tracker-definition.json): JSON Schema of the document that defines a tracker
- [Version](/api/version): product and version of this server

## Where to begin

- \`GET /api/projects\`: projects that you may see
- \`GET /api/projects/{id}/trackers\`: trackers of a project; \`GET /api/trackers/{id}\` names fields, values and workflow
- \`GET /api/trackers/{id}/artifacts?expert_query=…\`: search; \`POST /api/search\` searches everywhere
- \`POST /api/artifacts\`, \`PUT /api/artifacts/{id}\`: write, by names of fields with \`values_by_field\`
- \`GET /api/events\`: the change feed
`
