import { describe, expect, test } from 'vitest'
import { startWorld } from '../../harness/start-world.ts'
import { ADA } from '../../fixtures/people.ts'
import { PUBLIC_CLIENTS } from './public-clients.ts'
import { type ClientAnswer, type SendRequest, type SentRequest, createSend } from './send.ts'
import { visitAll } from './visit.ts'
import { makeClientWorld } from './world.ts'

const { api } = await startWorld({ seedOnce: true })
const send = createSend(api.origin)
const world = await makeClientWorld(send, { 'X-Auth-AccessKey': ADA.key }, { user: 'carla', project: 'ci-test' })

/** Simulates a faulty server. */
function spoilt(spoil: (answer: ClientAnswer, request: SentRequest) => Partial<ClientAnswer>): SendRequest {
  return async (request) => {
    const answer = await send(request)
    return { ...answer, ...spoil(answer, request) }
  }
}

function without(answer: ClientAnswer, name: string): Headers {
  const headers = new Headers(answer.headers)
  headers.delete(name)
  return headers
}

/** Applies `change` to the members of a response at any depth. */
function everyMember(value: unknown, change: (name: string, member: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => everyMember(each, change))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([name, member]) => [name, everyMember(change(name, member), change)])
  return Object.fromEntries(members.filter(([, member]) => member !== undefined))
}

interface Fault {
  readonly what: string
  /** The client that would notice. */
  readonly client: string
  readonly spoil: (answer: ClientAnswer, request: SentRequest) => Partial<ClientAnswer>
}

const FAULTS: readonly Fault[] = [
  {
    what: 'another artifact than was asked for',
    client: 'AlexandrLebegue/Tuleap-Pet',
    spoil: ({ json }, { method, path }) =>
      method === 'GET' && path.startsWith(`/api/artifacts/${world.first}?`)
        ? { json: { ...json, id: world.second } }
        : {},
  },
  {
    what: 'a link without a type',
    client: 'Enalean/tuleap-references-graph',
    spoil: ({ json }) => ({
      json: everyMember(json, (name, member) => (name === 'type' && member === '' ? undefined : member)),
    }),
  },
  {
    what: 'dates with Z',
    client: 'Enalean/tuleap-references-graph',
    spoil: ({ json }) => ({
      json: everyMember(json, (name, member) => (name === 'submitted_on' ? '2026-03-01T09:30:00Z' : member)),
    }),
  },
  {
    what: 'a list without its size',
    client: 'jenkinsci/tuleap-api-plugin',
    spoil: (answer) => ({ headers: without(answer, 'X-PAGINATION-SIZE') }),
  },
  {
    what: 'no content after a deletion',
    client: 'vipex/node-tuleap-api',
    spoil: ({ status }, { method }) => (method === 'DELETE' && status === 200 ? { status: 204 } : {}),
  },
  {
    what: 'an empty answer to a PUT',
    client: 'shamil2/tuleap-mcp',
    spoil: (_, { method }) => (method === 'PUT' ? { text: '', json: undefined } : {}),
  },
  {
    what: 'a refusal without its message',
    client: 'Enalean/vscode-tuleap-extension',
    spoil: ({ json }) => ({
      json: everyMember(json, (name, member) => (name === 'i18n_error_message' ? undefined : member)),
    }),
  },
  {
    what: 'other bytes of a file',
    client: 'Enalean/vscode-tuleap-extension',
    spoil: ({ text }, { path }) => (path.startsWith('/files/') ? { text: `${text}!` } : {}),
  },
]

describe('the public clients', () => {
  test('get what they need from each of their calls', async () => {
    const visited = await visitAll(PUBLIC_CLIENTS, send, world)

    expect(visited.filter(({ missing }) => missing.length > 0)).toEqual([])
    expect(new Set(visited.map(({ client }) => client)).size).toBe(PUBLIC_CLIENTS.length)
    expect(visited.length).toBeGreaterThan(180)
  })

  test.each(FAULTS)('notice $what', async ({ client, spoil }) => {
    const clients = PUBLIC_CLIENTS.filter(({ name }) => name === client)
    const visited = await visitAll(clients, spoilt(spoil), world)
    expect(visited.filter(({ missing }) => missing.length > 0)).not.toEqual([])
  })
})
