import { Type } from 'typebox'
import { readRoute } from '../../platform/http/route.ts'

export const getRegistration = readRoute({
  method: 'GET',
  path: '/registrations',
  operationId: 'getRegistration',
  summary: 'Show whether people can ask for an account.',
  description:
    'Tells a sign-in page whether to offer registration: `closed`, after `approval` by a site administrator, or `open`. Everyone. It refuses nothing but invalid credentials.',
  access: 'everyone',
  staysOpen: true,
  answer: Type.Object({ registration: Type.Enum(['closed', 'approval', 'open']) }, { title: 'RegistrationSetting' }),
  async handle({ context }) {
    return { body: { registration: context.settings.current.registration } }
  },
})
