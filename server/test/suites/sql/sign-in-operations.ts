import { getSvnFolders } from '../../../src/repositories/disk/svn-folders.ts'
import { authorizeSvnRequest } from '../../../src/repositories/sign-in/authorize-svn-request.ts'
import { SAME_ORIGIN_HEADERS, signInWithCookie } from '../../harness/browser-requests.ts'
import { basic } from '../../harness/client.ts'
import { MARA, PASSWORD, TOM } from '../../fixtures/people.ts'
import { ORCHARD } from '../../fixtures/seed-ids.ts'
import { assertSucceeded } from './scene.ts'
import type { SqlOperation } from './sql-operation.ts'

/** A request that reads little besides the account of its caller. */
const SMALL_REQUEST = '/users/self/notification_settings'

export const SIGN_IN_OPERATIONS: readonly SqlOperation[] = [
  {
    name: 'sign-in-by-access-key',
    runs: `GET ${SMALL_REQUEST} with X-Auth-AccessKey`,
    note: 'Each request of a script.',
    prepare:
      ({ api }) =>
      () =>
        api.get(SMALL_REQUEST, { as: TOM }),
  },
  {
    name: 'sign-in-by-session',
    runs: `GET ${SMALL_REQUEST} with the session cookie`,
    note: 'Each request of the pages.',
    prepare: async ({ api }) => {
      const headers = await signInWithCookie(api, TOM)
      return () => api.get(SMALL_REQUEST, { headers, reader: TOM })
    },
  },
  {
    name: 'sign-in-by-token',
    runs: `GET ${SMALL_REQUEST} with X-Auth-Token`,
    note: 'Each request of a client that holds a token.',
    prepare: async ({ api }) => {
      const body = { username: TOM.login, password: PASSWORD }
      const { json } = await api.post('/tokens', { body, reader: TOM })
      const headers = { 'x-auth-token': json.token, 'x-auth-userid': json.user_id }
      return () => api.get(SMALL_REQUEST, { headers, reader: TOM })
    },
  },
  {
    name: 'sign-in-by-password',
    runs: `GET ${SMALL_REQUEST} with Basic authentication`,
    note: 'Each request of a client that sends login and password.',
    prepare:
      ({ api }) =>
      () =>
        api.get(SMALL_REQUEST, { headers: basic(TOM), reader: TOM }),
  },
  {
    name: 'create-session',
    runs: 'POST /session',
    note: 'A person signs in on the sign-in page.',
    prepare: ({ api }) => {
      const body = { username: TOM.login, password: PASSWORD }
      return () => api.post('/session', { headers: SAME_ORIGIN_HEADERS, body, reader: TOM })
    },
  },
  {
    name: 'authorize-svn-request',
    runs: 'authorizeSvnRequest',
    note: 'Apache asks for each request to a repository.',
    prepare: async ({ api, context, bug }) => {
      const name = `core-${bug}`
      assertSucceeded(await api.post('/svn', { as: MARA, body: { project_id: ORCHARD, name } }))
      const served = `dav_svn:${getSvnFolders(context.config).repositories}/orchard/${name}/trunk`
      const request = { served, login: TOM.login, secret: PASSWORD, address: '127.0.0.1', method: 'PROPFIND' }
      await authorizeSvnRequest(context, request)
      return () => authorizeSvnRequest(context, request)
    },
  },
]
