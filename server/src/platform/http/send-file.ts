import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Reply } from './route.ts'
import { sendContent } from './send-content.ts'

/** A file as the answer of a route, or the part that is asked for. Browsers keep it, and show none of it as a page of ours. */
export function sendFile(
  type: string,
  { file, headers = {} }: Reply<unknown>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (!file) throw new TypeError('The handler of a route with a file gave none.')
  const { name, ...content } = file
  const disposition = `attachment; filename="${name.replaceAll(/[^\w.-]/g, '_')}"`
  return sendContent({ ...content, type, headers: { ...headers, 'content-disposition': disposition } }, request, reply)
}
