import { findUsableViewer } from '../../accounts/sign-in/find-viewer.ts'
import type { FileId, StoredFile } from '../../files/file.ts'
import { readTicket, writeTicket } from '../../files/ticket.ts'
import { parseId } from '../../platform/database/ids.ts'
import { ANONYMOUS } from '../../platform/http/exchange.ts'
import type { Content } from '../../platform/http/send-content.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { Shown, Visit } from '../../platform/http/web-page.ts'
import { findReadableFile } from './find-readable-file.ts'

/**
 * Shows something of a file to whoever may read it. Where files have a host of their own, browsers are led there, with a
 * ticket instead of a cookie; programs, which send who they are, get it at once.
 */
export async function openFilePage(
  visit: Visit,
  show: (file: StoredFile) => Promise<Content | { readonly leadsTo: string }>,
): Promise<Shown> {
  const { context, viewer, params, path, isApart } = visit
  const id = parseId<FileId>(params['id'] ?? '', 'id')
  const reader = isApart ? await holderOf(visit, id) : viewer
  if (!reader) return { leadsTo: new URL(path, context.config.WAYPOST_PUBLIC_URL).href }
  const shown = await show(await findReadableFile(context, context.db, reader, id))
  if ('leadsTo' in shown) return shown
  if (isApart) return { ...shown, headers: { ...shown.headers, 'cross-origin-resource-policy': 'cross-origin' } }
  return leadApart(visit, id) ?? shown
}

/** Undefined: there is no ticket, or it is over. */
async function holderOf({ context, viewer, query }: Visit, id: FileId): Promise<Viewer | undefined> {
  if (viewer.account_id !== undefined) return viewer
  const ticket = readTicket(context, id, query.get('ticket'))
  if (!ticket) return undefined
  return ticket.account === undefined ? ANONYMOUS : findUsableViewer(context, ticket.account)
}

function leadApart({ context, viewer, path }: Visit, id: FileId): { leadsTo: string } | undefined {
  const { WAYPOST_FILES_URL: apart } = context.config
  const isBrowser = viewer.credential === undefined || viewer.credential.kind === 'session'
  if (!apart || !isBrowser) return undefined
  const address = new URL(path, apart)
  address.searchParams.set('ticket', writeTicket(context, id, viewer.account_id))
  return { leadsTo: address.href }
}
