import type { Route, WebhookRequest } from '../http/route.ts'
import type { JsonObject, SchemaCollector } from './openapi-schemas.ts'

/** The section `webhooks`: requests of the server to addresses that routes register. */
export function describeWebhooks(routes: readonly Route[], schemas: SchemaCollector): JsonObject {
  const sent = new Map(routes.flatMap(({ sends = [] }) => sends).map((each) => [each.name, each]))
  return Object.fromEntries([...sent].map(([name, each]) => [name, { post: describeSentRequest(each, schemas) }]))
}

function describeSentRequest(
  { name, summary, description, body, example }: WebhookRequest,
  schemas: SchemaCollector,
): JsonObject {
  const json: JsonObject = JSON.parse(JSON.stringify(example))
  return {
    operationId: `on${name.split('.').map(capitalized).join('')}`,
    summary,
    description,
    tags: ['webhooks'],
    security: [],
    parameters: HEADERS.map(([header, meaning, value]) => ({
      name: header,
      in: 'header',
      description: meaning,
      required: true,
      schema: { type: 'string' },
      example: header === 'X-Waypost-Event' ? name : value,
    })),
    requestBody: {
      required: true,
      content: {
        'application/json': { schema: schemas.toReference(body), example: json },
        'application/x-www-form-urlencoded': {
          schema: {
            type: 'object',
            properties: { payload: { type: 'string', description: 'The same object as JSON text.' } },
            required: ['payload'],
          },
          example: { payload: JSON.stringify(json) },
        },
      },
    },
    responses: {
      200: { description: 'Any 2xx within 10 seconds: delivered.' },
      410: { description: 'The receiver is gone: the webhook is switched off.' },
      '4XX': { description: 'Failed, without another attempt; 408, 425 and 429 are retried.' },
      '5XX': { description: 'Retried, for a day and a half.' },
    },
  }
}

const HEADERS = [
  ['X-Waypost-Event', 'The type of the event.', ''],
  ['X-Waypost-Event-Id', 'Its cursor in the feed, the same on every repetition.', 'fade.12.88'],
  ['X-Waypost-Delivery', 'The id of this delivery.', '301'],
  ['X-Waypost-Attempt', 'The number of the attempt, from 1.', '1'],
  [
    'X-Waypost-Signature',
    '`t=<seconds>,v1=<hex>`: HMAC-SHA-256 over time, dot and raw body; two `v1` while the secret is being changed.',
    't=1772357400,v1=5f0c4e0b6f8c1d0c8f6a8b5d6b7d9a3be1f4b1c6f7a0d2e3c4b5a697887766aa',
  ],
  ['webhook-id', 'Standard Webhooks: the same on every repetition to this hook.', '5-fade-12-88'],
  ['webhook-timestamp', 'Standard Webhooks: seconds since 1970.', '1772357400'],
  [
    'webhook-signature',
    'Standard Webhooks: `v1,<base64>`, separated by spaces.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ],
] as const

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
