import { Type } from 'typebox'
import { readRoute } from '../platform/http/route.ts'
import { COMMIT, PRODUCT, VERSION } from '../platform/openapi/version.ts'

export const getVersion = readRoute({
  method: 'GET',
  path: '/version',
  operationId: 'getVersion',
  summary: 'Show what this server is.',
  description:
    'Tells clients which server they talk to. Everyone, unless anonymous access is off. Invalid credentials are 401.',
  access: 'everyone',
  answer: Type.Object(
    {
      flavor_name: Type.String(),
      version_number: Type.String(),
      commit: Type.Union([Type.String(), Type.Null()], {
        description: 'The commit that this release was built from; null if the server runs from its sources.',
      }),
    },
    { title: 'Version' },
  ),
  async handle() {
    return { body: { flavor_name: PRODUCT, version_number: VERSION, commit: COMMIT } }
  },
})
