import type { FastifyReply, FastifyRequest } from 'fastify'
import { isUnchanged, MEDIA_TYPES, sendUnchanged } from './render-reply.ts'
import type { StoredReply } from './route-call.ts'

/** Sends a response that was stored, like `sendReply` for the same call. */
export function sendStoredReply(
  request: FastifyRequest,
  reply: FastifyReply,
  { etag, lastModified, body }: StoredReply,
): FastifyReply {
  reply.header('content-type', MEDIA_TYPES[request.exchange.format])
  if (lastModified !== undefined) reply.header('last-modified', lastModified)
  if (isUnchanged(request, reply, etag)) return sendUnchanged(reply)
  if (!body) throw new TypeError('The handler gave an ETag without a body, and the caller has another one.')
  return reply.send(body)
}
