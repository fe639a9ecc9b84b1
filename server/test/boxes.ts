import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { Type } from 'typebox'
import { beforeEach } from 'vitest'
import type { Id } from '../src/platform/database/ids.ts'
import { bulkRoute } from '../src/platform/http/bulk.ts'
import { idParam } from '../src/platform/http/route.ts'
import { ApiError } from '../src/platform/words/errors.ts'
import { startWorld } from './harness.ts'
import { type Person, TOM } from './people.ts'
import { ORCHARD } from './places.ts'

export const NDJSON = { 'content-type': 'application/x-ndjson' }

const Line = Type.Object(
  { name: Type.String({ maxLength: 2_000_000 }), id: Type.Optional(Type.Integer()) },
  { additionalProperties: false },
)

/** What the routes of one world have done in this test, and whether they do it well. */
interface Seen {
  parts: number[][]
  steps: string[]
  isBroken: boolean
}

interface Answered {
  status: number
  type: string | undefined
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  lines: any[]
  // oxlint-disable-next-line typescript/no-explicit-any -- the same
  done: any
  text: string
}

/** A world with routes that write many at once. */
export async function startBoxes() {
  const seen: Seen = { parts: [], steps: [], isBroken: false }
  const routes = [
    ahead(seen),
    marks(seen, '/boxes'),
    marks(seen, '/trios', { linesOfPart: 3, lines: 7, bytesOfPart: 200 }),
    marks(seen, '/hasty', { linesOfPart: 2, longest: 400 }),
    marks(seen, '/deaf', { linesOfPart: 2, patience: 400 }),
  ]
  const world = await startWorld({ routes })
  beforeEach(() => void Object.assign(seen, { parts: [], steps: [], isBroken: false }))

  const send = async (
    path: string,
    body: string | readonly object[],
    { as = TOM, headers = {} }: { as?: Person; headers?: object } = {},
    client = world.api,
  ): Promise<Answered> => {
    const text = typeof body === 'string' ? body : body.map((line) => `${JSON.stringify(line)}\n`).join('')
    const answer = await client.post(path, { as, body: text, headers: { ...NDJSON, ...headers } })
    const lines = answer.status === 200 ? answer.text.trimEnd().split('\n') : []
    const read = lines.map((line) => JSON.parse(line))
    const type = answer.headers['content-type']
    return { status: answer.status, type, lines: read.slice(0, -1), done: read.at(-1)?.done, text: answer.text }
  }
  const labels = async () => {
    const { rows } = await sql<{
      label: string
    }>`select label from label where project_id = ${ORCHARD} order by id`.execute(world.context.db)
    return rows.map(({ label }) => label)
  }
  return { ...world, routes, seen, send, labels }
}

export function named(...names: string[]) {
  return names.map((name) => ({ name }))
}

export function statuses({ lines }: Answered) {
  return lines.map(({ status }) => status)
}

/** Makes a label of each line; names that begin with an exclamation mark ask for something else. */
function marks(seen: Seen, path: string, limits = {}) {
  return bulkRoute({
    path: `${path}/:id/bulk`,
    operationId: `bulk${path.slice(1)}`,
    summary: 'Make many.',
    access: 'signed_in',
    params: { id: idParam<Id<'box'>>('The box.') },
    line: Line,
    limits,
    async open({ params }) {
      if (params.id === 404) throw new ApiError('not_found')
      return { color: 'red' }
    },
    async handlePart(_call, lines, work, { color }) {
      seen.parts.push(lines.map(({ line }) => line))
      if (seen.isBroken && lines.some(({ value }) => value.name === '!break')) throw new Error('It is broken.')
      const results = []
      for (const { value } of lines)
        results.push(
          await work.attempt(async (line) => {
            if (value.name === '!counted') {
              line.evenIfRefused(async (db) => void (await sql`delete from label where label = 'urgent'`.execute(db)))
              throw new ApiError('not_found')
            }
            if (value.name === '!same') return { status: 200, id: value.id ?? null, isUnchanged: true }
            await line.change({ object: 'labels', op: 'create', after: { name: value.name } })
            const { rows } = await sql<{ id: number }>`insert into label (project_id, label, color)
              values (${ORCHARD}, ${value.name.slice(0, 50)}, ${color}) returning id`
              .execute(line.tx)
              .catch((error: unknown) => {
                throw isTaken(error) ? new ApiError('name_taken', { path: 'name' }) : error
              })
            if (value.name === '!late') throw new ApiError('rule_violated', { cause: 'self' })
            const id = rows[0]?.id ?? 0
            return { status: 201, id, version: { kind: 'label', id, version: 1 } }
          }, value.id),
        )
      if (lines.some(({ value }) => value.name === '!lost')) throw new ApiError('outcome_unknown')
      return results
    },
  })
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505'
}

/** Writes down what it does, and when; a part of the name `!unready` cannot be prepared. */
function ahead(seen: Seen) {
  return bulkRoute({
    path: '/ahead/:id/bulk',
    operationId: 'bulkAhead',
    summary: 'Make many, and look ahead.',
    access: 'signed_in',
    params: { id: idParam<Id<'box'>>('The box.') },
    line: Line,
    limits: { linesOfPart: 1 },
    open: async () => undefined,
    async preparePart(_call, lines) {
      const name = lines.map(({ value }) => value.name).join()
      seen.steps.push(`prepare ${name}`)
      if (name === '!unready') throw new Error('It is not ready.')
      return name.toUpperCase()
    },
    async handlePart(_call, lines, _work, _opened, prepared) {
      await pause(50)
      seen.steps.push(`write ${prepared}`)
      return lines.map(() => ({ status: 200, id: 1 }))
    },
  })
}
