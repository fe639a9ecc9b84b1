import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptedLanguages, catalogueFor } from '../words/catalogue.ts'
import type { Context } from '../operation/context.ts'
import { credentialIn, type InFlight } from './in-flight.ts'
import type { Credentials, SignIn } from './sign-in.ts'
import type { Viewer } from './viewer.ts'

/** What an address outside `/api` is served with. */
export interface Serving {
  readonly context: Context
  readonly signIn: SignIn
  readonly inFlight: InFlight
}

/** Who asks, and in which language he is refused. He has a place among those who are served until his answer has left. */
export async function identifyVisitor(
  { context, signIn, inFlight }: Serving,
  request: FastifyRequest,
  reply: FastifyReply,
  how: Pick<Credentials, 'reads' | 'visits'>,
): Promise<Viewer> {
  const { exchange, headers, method, ip: address, id: request_id } = request
  // Counted before the database is asked who it is: a crowd of one person would stand there in everybody's way.
  reply.raw.once('close', inFlight.enter(credentialIn(headers)))
  const viewer = await signIn.authenticate({ headers, method, address, request_id, ...how })
  reply.raw.once('close', inFlight.enter(viewer.account_id))
  exchange.viewer = viewer
  const { language } = context.settings.current
  exchange.language = catalogueFor([viewer.language, ...acceptedLanguages(headers['accept-language']), language])
  return viewer
}
