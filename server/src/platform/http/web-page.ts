import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Catalogue, text } from '../words/catalogue.ts'
import type { Context } from '../operation/context.ts'
import { ApiError } from '../words/errors.ts'
import { parseQueryString } from '../wire/query-string.ts'
import { isSound } from '../wire/coerce.ts'
import { escapeHtml } from '../wire/html.ts'
import { isApart } from './apart.ts'
import { soundTexts } from './endpoint.ts'
import { type Content, sendContent } from './send-content.ts'
import type { Viewer } from './viewer.ts'
import { identifyVisitor, type Serving } from './visitor.ts'

/** An address outside `/api`, for people: it shows something, or leads on. It honours the same credentials. */
export interface WebPage {
  readonly path: string
  /** Open to everyone even where the platform forbids anonymous access. */
  readonly staysOpen?: true
  open(visit: Visit): Promise<Shown>
}

export interface Visit {
  readonly context: Context
  readonly viewer: Viewer
  readonly language: Catalogue
  readonly params: Readonly<Record<string, string>>
  /** Parameters that were given more than once are not among them. */
  readonly query: ReadonlyMap<string, string>
  /** As it came. */
  readonly path: string
  /** Asked for at the address that serves files only (`WAYPOST_FILES_URL`). */
  readonly isApart: boolean
}

export type Shown =
  | { readonly leadsTo: string }
  | { readonly type: string; readonly content: string | Buffer; readonly headers?: Readonly<Record<string, string>> }
  | Content

export async function openPage(
  page: WebPage,
  serving: Serving,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { context } = serving
  const viewer = await identifyVisitor(serving, request, reply, { reads: true, visits: true })
  if (viewer.account_id === undefined && !context.settings.current.anonymous_access && !page.staysOpen)
    throw new ApiError('authentication_required')

  const { exchange } = request
  const { values: query, duplicates } = parseQueryString(exchange.query)
  for (const name of duplicates) query.delete(name)
  const params = soundTexts(request.params)
  for (const [name, value] of query)
    if (!isSound(value)) throw new ApiError('parameter_invalid', { path: name, rule: 'format' })
  const { language, path } = exchange
  const visit = { context, viewer, language, params, query, path, isApart: isApart(request, context.config) }
  const shown = await page.open(visit).catch(offerAgain(serving, request, reply))
  if ('leadsTo' in shown) return reply.redirect(shown.leadsTo, 302)
  if ('open' in shown) return sendContent(shown, request, reply)
  return reply
    .headers(shown.headers ?? {})
    .header('content-type', shown.type)
    .send(shown.content)
}

/**
 * A link of another site leads to what only somebody who has signed in may see, and he has, but there his cookie does not
 * count. From a page of ours it does, so he gets one with the same link.
 */
function offerAgain({ signIn }: Serving, { headers, exchange }: FastifyRequest, reply: FastifyReply) {
  return (error: unknown): Shown => {
    const isRefused = error instanceof ApiError && error.reason === 'authentication_required'
    if (!isRefused || !signIn.ignoresCookie(headers)) throw error
    if (headers['sec-fetch-mode'] !== 'navigate') throw new ApiError('cross_site_cookie')
    reply.code(403)
    const { language, path, query } = exchange
    const [title, link] = [text(language, 'foreign_link.title'), text(language, 'foreign_link.go_on')]
    const address = escapeHtml(query === '' ? path : `${path}?${query}`)
    return {
      type: 'text/html; charset=utf-8',
      content: `<!doctype html><html lang="${escapeHtml(language.tag)}"><meta charset="utf-8"><title>${escapeHtml(title)}</title><h1>${escapeHtml(title)}</h1><p><a href="${address}">${escapeHtml(link)}</a></p></html>\n`,
    }
  }
}
