import type { WebPage } from '../../platform/http/web-page.ts'
import { definitionJsonSchema } from './definition-json-schema.ts'

/** The JSON Schema of tracker definitions, for editors and generators: public, the same for everyone. */
export const DEFINITION_SCHEMA_PAGES: readonly WebPage[] = ['/api', '/api/v1'].map((prefix) => ({
  path: `${prefix}/schemas/tracker-definition.json`,
  staysOpen: true,
  ignoresCredentials: true,
  open: async ({ context }) => ({
    type: 'application/schema+json',
    content: `${JSON.stringify(definitionJsonSchema(context.config.WAYPOST_PUBLIC_URL), null, 2)}\n`,
    headers: { 'cache-control': 'no-cache' },
  }),
}))
