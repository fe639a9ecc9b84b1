import { type Static, Type } from 'typebox'
import { Resources, resourcesBelow } from '../../platform/wire/resources.ts'
import { readRoute } from '../../platform/http/route.ts'
import { apiDate } from '../../platform/wire/dates.ts'
import { requireAccount } from '../auth-errors.ts'
import { findExport, type FoundExport } from './export-file.ts'

const date = Type.Union([Type.String(), Type.Null()])

const PersonalExport = Type.Object(
  {
    state: Type.Enum(['waiting', 'ready']),
    made_on: date,
    expires_on: date,
    size: Type.Union([Type.Integer({ description: 'In bytes.' }), Type.Null()]),
    resources: Resources,
  },
  { title: 'PersonalExport' },
)

export const getExport = readRoute({
  method: 'GET',
  path: '/users/self/export',
  operationId: 'getExport',
  summary: 'Show how it stands with the file that you asked for.',
  description:
    'Shows whether the requested file is waiting, ready or failed. Every signed-in account, for itself. 404 `not_set` if no export was requested.',
  access: 'signed_in',
  answer: PersonalExport,
  async handle({ context, viewer }) {
    return { body: represent(await findExport(context.db, requireAccount(viewer), context.clock.now())) }
  },
})

function represent({ made_on, expires_on, size }: FoundExport): Static<typeof PersonalExport> {
  return {
    state: made_on ? 'ready' : 'waiting',
    made_on: made_on && apiDate(made_on),
    expires_on: expires_on && apiDate(expires_on),
    size,
    resources: resourcesBelow('users/self/export', made_on ? ['content'] : []),
  }
}
