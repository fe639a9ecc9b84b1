import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Catalogue, getMessage } from '../messages/catalogue.ts'
import type { Context } from '../operation/context.ts'
import { ApiError } from '../messages/errors.ts'
import { parseQueryString } from '../wire/query-string.ts'
import { isStorableText } from '../wire/coerce.ts'
import { escapeHtml } from '../wire/html.ts'
import { isFilesHostRequest } from './files-host.ts'
import { parsePathParams } from './endpoint.ts'
import { type SendableContent, sendContent } from './send-content.ts'
import type { Viewer } from './viewer.ts'
import { authenticatePage, type PageServices } from './authenticate-page.ts'

/** An address outside `/api` for people: a page or a redirect. It accepts the same credentials. */
export interface WebPage {
  readonly path: string
  /** Open to everyone even where the platform forbids anonymous access. */
  readonly staysOpen?: true
  /** The same for everyone: neither valid nor invalid credentials change the response. */
  readonly ignoresCredentials?: true
  open(visit: WebPageRequest): Promise<WebPageResponse>
}

export interface WebPageRequest {
  readonly context: Context
  readonly viewer: Viewer
  readonly language: Catalogue
  readonly params: Readonly<Record<string, string>>
  /** Parameters that are given more than once are omitted. */
  readonly query: ReadonlyMap<string, string>
  /** As they were sent, also if the page ignores credentials. */
  readonly headers: IncomingHttpHeaders
  readonly origin: { readonly address: string | null; readonly request_id: string | null }
  /** The raw path. */
  readonly path: string
  /** Requested at the host that serves only files (`WAYPOST_FILES_URL`). */
  readonly isApart: boolean
}

export type WebPageResponse =
  | { readonly leadsTo: string }
  /** 303, which browsers follow with GET. */
  | { readonly seeOther: string; readonly headers?: Readonly<Record<string, string | readonly string[]>> }
  | { readonly type: string; readonly content: string | Buffer; readonly headers?: Readonly<Record<string, string>> }
  | SendableContent

const CREDENTIAL_HEADERS = ['authorization', 'cookie', 'x-auth-accesskey', 'x-auth-token', 'x-auth-userid']

export async function openPage(
  page: WebPage,
  serving: PageServices,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { context } = serving
  const headers = { ...request.headers }
  if (page.ignoresCredentials) for (const name of CREDENTIAL_HEADERS) delete request.headers[name]
  const viewer = await authenticatePage(serving, request, reply, { reads: true, visits: true })
  if (viewer.account_id === undefined && !context.settings.current.anonymous_access && !page.staysOpen)
    throw new ApiError('authentication_required')

  const { exchange } = request
  const { values: query, duplicates } = parseQueryString(exchange.query)
  for (const name of duplicates) query.delete(name)
  const params = parsePathParams(request.params)
  for (const [name, value] of query)
    if (!isStorableText(value)) throw new ApiError('parameter_invalid', { path: name, rule: 'format' })
  const { language, path } = exchange
  const isApart = isFilesHostRequest(request, context.config)
  const origin = { address: request.ip, request_id: request.id }
  const visit = { context, viewer, language, params, query, headers, origin, path, isApart }
  const shown = await page.open(visit).catch(offerSameOriginLink(serving, request, reply))
  if ('leadsTo' in shown) return reply.redirect(shown.leadsTo, 302)
  if ('seeOther' in shown) {
    for (const [name, value] of Object.entries(shown.headers ?? {})) reply.header(name, value)
    return reply.redirect(shown.seeOther, 303)
  }
  if ('open' in shown) return sendContent(shown, request, reply)
  return reply
    .headers(shown.headers ?? {})
    .header('content-type', shown.type)
    .send(shown.content)
}

/**
 * A signed-in visitor who follows a link from another site has a cookie that is ignored there. It counts on a
 * same-origin link, so they get a page with that link.
 */
function offerSameOriginLink({ signIn }: PageServices, { headers, exchange }: FastifyRequest, reply: FastifyReply) {
  return (error: unknown): WebPageResponse => {
    const isRefused = error instanceof ApiError && error.reason === 'authentication_required'
    if (!isRefused || !signIn.ignoresCookie(headers)) throw error
    if (headers['sec-fetch-mode'] !== 'navigate') throw new ApiError('cross_site_cookie')
    reply.code(403)
    const { language, path, query } = exchange
    const [title, link] = [getMessage(language, 'foreign_link.title'), getMessage(language, 'foreign_link.go_on')]
    const address = escapeHtml(query === '' ? path : `${path}?${query}`)
    return {
      type: 'text/html; charset=utf-8',
      content: `<!doctype html><html lang="${escapeHtml(language.tag)}"><meta charset="utf-8"><title>${escapeHtml(title)}</title><h1>${escapeHtml(title)}</h1><p><a href="${address}">${escapeHtml(link)}</a></p></html>\n`,
    }
  }
}
