import { findUsableViewer } from '../../accounts/sign-in/find-viewer.ts'
import type { FileId, StoredFile } from '../../files/file.ts'
import { verifyTicket, signTicket } from '../../files/ticket.ts'
import { parseId } from '../../platform/database/ids.ts'
import { ANONYMOUS_VIEWER } from '../../platform/http/request-state.ts'
import type { SendableContent } from '../../platform/http/send-content.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { WebPageResponse, WebPageRequest } from '../../platform/http/web-page.ts'
import { findReadableFile } from './find-readable-file.ts'

/**
 * Shows a file to viewers who may read it. With a separate files host, browsers are redirected there with a ticket
 * instead of a cookie; programs that send credentials get the file directly.
 */
export async function openFilePage(
  visit: WebPageRequest,
  show: (file: StoredFile) => Promise<SendableContent | { readonly leadsTo: string }>,
): Promise<WebPageResponse> {
  const { context, viewer, params, path, isApart } = visit
  const id = parseId<FileId>(params['id'] ?? '', 'id')
  const reader = isApart ? await holderOf(visit, id) : viewer
  if (!reader) return { leadsTo: new URL(path, context.config.WAYPOST_PUBLIC_URL).href }
  const shown = await show(await findReadableFile(context, context.db, reader, id))
  if ('leadsTo' in shown) return shown
  if (isApart) return { ...shown, headers: { ...shown.headers, 'cross-origin-resource-policy': 'cross-origin' } }
  return leadApart(visit, id) ?? shown
}

/** Undefined without a valid ticket. */
async function holderOf({ context, viewer, query }: WebPageRequest, id: FileId): Promise<Viewer | undefined> {
  if (viewer.account_id !== undefined) return viewer
  const ticket = verifyTicket(context, id, query.get('ticket'))
  if (!ticket) return undefined
  return ticket.account === undefined ? ANONYMOUS_VIEWER : findUsableViewer(context, ticket.account)
}

function leadApart({ context, viewer, path }: WebPageRequest, id: FileId): { leadsTo: string } | undefined {
  const { WAYPOST_FILES_URL: apart } = context.config
  const isBrowser = viewer.credential === undefined || viewer.credential.kind === 'session'
  if (!apart || !isBrowser) return undefined
  const address = new URL(path, apart)
  address.searchParams.set('ticket', signTicket(context, id, viewer.account_id))
  return { leadsTo: address.href }
}
