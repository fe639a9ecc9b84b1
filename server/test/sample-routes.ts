import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { Type } from 'typebox'
import { refusedTo } from '../src/accounts/refusals.ts'
import { ApiError } from '../src/platform/words/errors.ts'
import { requireVersion } from '../src/platform/wire/etag.ts'
import type { Id } from '../src/platform/database/ids.ts'
import { cutPage } from '../src/platform/http/pages.ts'
import { idParam, readRoute, type Route, writeRoute } from '../src/platform/http/route.ts'
import { ORCHARD } from './places.ts'

type LabelId = Id<'label'>

const Sample = Type.Object({ id: Type.Integer(), uri: Type.String(), name: Type.String() })
const SampleInput = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 40, trim: true }),
  colour: Type.Optional(Type.Enum(['red', 'blue'])),
  weight: Type.Optional(Type.Integer({ minimum: 1, maximum: 9 })),
  loud: Type.Optional(Type.Boolean()),
  tags: Type.Optional(Type.Array(Type.String())),
})

const PAGES = { default: 3, min: 0, max: 5 }

/** Routes that do what the platform promises of every route, on a table of the projects room. */
export const SAMPLE_ROUTES: readonly Route[] = [
  readRoute({
    method: 'GET',
    path: '/samples',
    operationId: 'listSamples',
    summary: 'List.',
    access: 'everyone',
    pages: PAGES,
    query: { name: Type.Optional(Type.String()) },
    answer: Type.Array(Sample),
    async handle({ context, page, query }) {
      const like = `%${query.name ?? ''}%`
      const { rows } = await sql<{ id: number; name: string }>`
        select id, label as name from label where project_id = ${ORCHARD} and label like ${like} and id > ${Number(page.after?.[0] ?? 0)}
        order by id limit ${page.limit + 1} offset ${page.after ? 0 : page.offset}`.execute(context.db)
      const size = await sql<{ size: number }>`select count(*) as size from label
        where project_id = ${ORCHARD} and label like ${like}`.execute(context.db)
      const cut = cutPage(rows, page.limit, ({ id }) => [id])
      return { body: cut.rows.map(represent), size: size.rows[0]?.size ?? 0, next: cut.next }
    },
  }),
  readRoute({
    method: 'GET',
    path: '/samples/:id',
    operationId: 'getSample',
    summary: 'Show.',
    access: 'everyone',
    params: { id: idParam<LabelId>('The sample.') },
    answer: Sample,
    async handle({ context, params }) {
      const { rows } = await sql<{
        id: number
        name: string
      }>`select id, label as name from label where id = ${params.id}`.execute(context.db)
      const [found] = rows
      if (!found) throw new ApiError('not_found')
      return {
        body: { ...represent(found), hidden: 'never declared' },
        version: { kind: 'samples', id: found.id, version: 1 },
      }
    },
  }),
  readRoute({
    method: 'GET',
    path: '/samples/criteria',
    operationId: 'findSamples',
    summary: 'Find by criteria in the body of the GET.',
    access: 'everyone',
    body: Type.Object({ name: Type.String() }),
    bodyOptional: true,
    answer: Type.Object({ asked_for: Type.String() }),
    async handle({ body }) {
      return { body: { asked_for: body?.name ?? 'nothing' } }
    },
  }),
  writeRoute({
    method: 'POST',
    path: '/samples',
    operationId: 'createSample',
    summary: 'Make.',
    access: 'signed_in',
    action: 'sample.create',
    body: SampleInput,
    answer: Sample,
    status: 201,
    async handle({ viewer, body }, work) {
      if (body.name === 'forbidden') throw refusedTo(viewer, 'site_admin')
      if (body.name === 'slow') await pause(300)
      const { rows } = await sql<{ id: number }>`insert into label (project_id, label, color)
        values (${ORCHARD}, ${body.name}, 'red') returning id`.execute(work.tx)
      const made = { id: rows[0]?.id ?? 0, name: body.name }
      await work.change({ object: 'samples', made: `samples/${made.id}`, op: 'create', after: { name: made.name } })
      await work.tell({ type: 'sample.created', object: `samples/${made.id}` })
      await work.enqueue({ type: 'sample', payload: { id: made.id } })
      return { body: represent(made), location: `samples/${made.id}` }
    },
  }),
  writeRoute({
    method: 'PUT',
    path: '/samples/:id',
    operationId: 'updateSample',
    summary: 'Change.',
    access: 'signed_in',
    action: null,
    params: { id: idParam<LabelId>('The sample.') },
    body: SampleInput,
    async handle({ params, headers, body }, work) {
      requireVersion(headers['if-match'], { kind: 'samples', id: params.id, version: 1 })
      await sql`update label set label = ${body.name} where id = ${params.id}`.execute(work.tx)
      return {}
    },
  }),
  writeRoute({
    method: 'POST',
    path: '/secrets',
    operationId: 'createSecret',
    summary: 'Make a secret.',
    access: 'signed_in',
    action: null,
    secret: true,
    answer: Type.Object({ identifier: Type.String() }),
    status: 201,
    givenByWrite: ['identifier'],
    async handle(_call, work) {
      const { rows } = await sql<{ id: number }>`insert into label (project_id, label, color)
        values (${ORCHARD}, gen_random_uuid()::text, 'red') returning id`.execute(work.tx)
      return { body: { identifier: `shown-once-${rows[0]?.id}` }, location: `secrets/${rows[0]?.id}` }
    },
  }),
]

function represent({ id, name }: { id: number; name: string }) {
  return { id, uri: `samples/${id}`, name }
}
