import type { FastifyReply } from 'fastify'
import type { Reply } from './route.ts'

/** A file as the answer of a route. Browsers keep it, and show none of it as a page of ours. */
export function sendFile(type: string, { file, headers = {} }: Reply<unknown>, reply: FastifyReply): FastifyReply {
  if (!file) throw new TypeError('The handler of a route with a file gave none.')
  return reply
    .headers(headers)
    .header('content-type', type)
    .header('content-disposition', `attachment; filename="${file.name.replaceAll(/[^\w.-]/g, '_')}"`)
    .send(file.bytes)
}
