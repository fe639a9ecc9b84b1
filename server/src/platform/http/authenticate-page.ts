import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Admission } from './admission.ts'
import { limitAnonymous } from './anonymous-limit.ts'
import { acceptedLanguages, selectCatalogue } from '../messages/catalogue.ts'
import { currentOwner } from '../database/connection-owner.ts'
import type { Context } from '../operation/context.ts'
import { getCredential, type ConcurrencyLimit } from './concurrency-limit.ts'
import type { Credentials, SignIn } from './sign-in.ts'
import type { OwnerCache } from './request-owner.ts'
import type { Viewer } from './viewer.ts'

/** The services of an address outside `/api`. */
export interface PageServices {
  readonly context: Context
  readonly signIn: SignIn
  readonly inFlight: ConcurrencyLimit
  readonly admission: Admission
  readonly owners: OwnerCache
}

/**
 * Authenticates the visitor and sets the language of errors. The request counts towards the concurrency limit until the
 * response has been sent.
 */
export async function authenticatePage(
  { context, signIn, inFlight, admission, owners }: PageServices,
  request: FastifyRequest,
  reply: FastifyReply,
  how: Pick<Credentials, 'reads' | 'visits'>,
): Promise<Viewer> {
  const { exchange, headers, method, ip: address, id: request_id } = request
  // Limit per credential before any database access, so that one client cannot exhaust the pool.
  reply.raw.once('close', inFlight.acquire(getCredential(headers)))
  const viewer = await limitAnonymous(context, request, getCredential(headers) !== undefined, () =>
    admission.run(currentOwner() ?? { key: owners.guess(request) }, async (turn) => {
      await turn.enter()
      return signIn.authenticate({ headers, method, address, request_id, ...how })
    }),
  )
  reply.raw.once('close', inFlight.acquire(viewer.account_id))
  owners.learn(request, viewer)
  exchange.viewer = viewer
  const { language } = context.settings.current
  exchange.language = selectCatalogue([viewer.language, ...acceptedLanguages(headers['accept-language']), language])
  return viewer
}
