import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptedLanguages, type Catalogue, catalogueFor } from '../words/catalogue.ts'
import type { Context } from '../operation/context.ts'
import { ApiError } from '../words/errors.ts'
import { parseQueryString } from '../wire/query-string.ts'
import { isSound } from '../wire/coerce.ts'
import { isRecord } from '../wire/schema-shape.ts'
import type { SignIn } from './sign-in.ts'
import type { Viewer } from './viewer.ts'

/** An address outside `/api`, for people: it shows something, or leads on. It honours the same credentials. */
export interface WebPage {
  readonly path: string
  open(visit: Visit): Promise<Shown>
}

interface Visit {
  readonly context: Context
  readonly viewer: Viewer
  readonly language: Catalogue
  readonly params: Readonly<Record<string, string>>
  /** Parameters that were given more than once are not among them. */
  readonly query: ReadonlyMap<string, string>
}

type Shown =
  | { readonly leadsTo: string }
  | { readonly type: string; readonly content: string | Buffer; readonly headers?: Readonly<Record<string, string>> }

export async function openPage(
  page: WebPage,
  context: Context,
  signIn: SignIn,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { exchange, headers, method, ip: address, id: request_id } = request
  const viewer = await signIn.authenticate({ headers, method, address, request_id, reads: true, visits: true })
  const { anonymous_access, language: usual } = context.settings.current
  exchange.viewer = viewer
  exchange.language = catalogueFor([viewer.language, ...acceptedLanguages(headers['accept-language']), usual])
  if (viewer.account_id === undefined && !anonymous_access) throw new ApiError('authentication_required')

  const { values: query, duplicates } = parseQueryString(exchange.query)
  for (const name of duplicates) query.delete(name)
  const params = textsIn(request.params)
  for (const [path, text] of [...Object.entries(params), ...query])
    if (!isSound(text)) throw new ApiError('parameter_invalid', { path, rule: 'format' })
  const { language } = exchange
  const shown = await page.open({ context, viewer, language, params, query })
  if ('leadsTo' in shown) return reply.redirect(shown.leadsTo, 302)
  return reply
    .headers(shown.headers ?? {})
    .header('content-type', shown.type)
    .send(shown.content)
}

function textsIn(params: unknown): Record<string, string> {
  return isRecord(params)
    ? Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]))
    : {}
}
