import { Type } from 'typebox'
import { readRoute } from '../platform/http/route.ts'
import { PRODUCT, VERSION } from '../platform/openapi/version.ts'

export const getVersion = readRoute({
  method: 'GET',
  path: '/version',
  operationId: 'getVersion',
  summary: 'Show what this server is.',
  access: 'everyone',
  answer: Type.Object({ flavor_name: Type.String(), version_number: Type.String() }, { title: 'Version' }),
  async handle() {
    return { body: { flavor_name: PRODUCT, version_number: VERSION } }
  },
})
