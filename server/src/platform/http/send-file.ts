import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply } from 'fastify'
import { ApiError } from '../words/errors.ts'
import type { Reply } from './route.ts'

/** A file as the answer of a route, or the part that is asked for. Browsers keep it, and show none of it as a page of ours. */
export function sendFile(
  type: string,
  { file, headers = {} }: Reply<unknown>,
  asked: IncomingHttpHeaders,
  reply: FastifyReply,
): FastifyReply {
  if (!file) throw new TypeError('The handler of a route with a file gave none.')
  const { bytes } = file
  reply
    .headers(headers)
    .header('content-type', type)
    .header('accept-ranges', 'bytes')
    .header('content-disposition', `attachment; filename="${file.name.replaceAll(/[^\w.-]/g, '_')}"`)
  const part = partIn(asked, bytes.length)
  if (!part) return reply.send(bytes)
  return reply
    .code(206)
    .header('content-range', `bytes ${part.first}-${part.last}/${bytes.length}`)
    .send(bytes.subarray(part.first, part.last + 1))
}

/** One part; whoever asks for several, or for one of a file that we cannot know him to have, gets the whole. */
function partIn({ range, 'if-range': unless }: IncomingHttpHeaders, size: number) {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range?.trim() ?? '') ?? []
  if ((from === '' && to === '') || unless !== undefined) return undefined
  const first = from === '' ? Math.max(size - Number(to), 0) : Number(from)
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (from !== '' && to !== '' && Number(to) < first) return undefined
  if (first <= last) return { first, last }
  throw new ApiError('range_not_satisfiable').with({ 'content-range': `bytes */${size}` })
}
