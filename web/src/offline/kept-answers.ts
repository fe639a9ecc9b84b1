import { queryClient } from '../query-client.ts'
import { connectionQuery, reportAnswer, reportKept } from './connection.ts'

/** One cache per account. */
const ANSWERS_PREFIX = 'waypost-answers-'
const ALL_PREFIX = 'waypost-'
const OWNER_KEY = 'waypost.offline_account'
const KEPT_ON = 'x-waypost-kept-on'
const SERVICE_WORKER = '/service-worker.js'

const MAX_ANSWERS = 300
const MAX_ANSWER_BYTES = 200_000
const MAX_AGE_MS = 7 * 24 * 60 * 60 * 1000
const SESSION_POLL_MS = 250
const SESSION_TIMEOUT_MS = 15_000

/** Reads that may be kept. Files, keys, preferences, people and administration are not in the list, and never kept. */
const KEPT_PATHS = [
  /^\/api\/session$/,
  /^\/api\/artifacts(\/\d+(\/(changesets|watch|watchers))?)?$/,
  /^\/api\/trackers\/\d+(\/(artifacts(\/groups)?|tracker_reports|parent_artifacts|used_artifact_links|watch))?$/,
  /^\/api\/tracker_reports\/\d+(\/artifacts)?$/,
  /^\/api\/projects(\/\d+(\/trackers)?)?$/,
  /^\/api\/users\/(self\/(favourites|recently_seen)|\d+\/artifacts)$/,
  /^\/api\/notifications\/threads$/,
]

/** Statuses of what the account may no longer see. */
const GONE = new Set([403, 404, 410])

/** The session of this page, as the query of the session stores it; null: there is none. */
type KnownSession = { readonly user: { readonly id: number | null } } | null
const SESSION_KEY = ['session']

/** Only secure contexts have caches. */
const hasCaches = 'caches' in globalThis

/**
 * Sends a request. The answer of a read is kept on the device for its account, and returned if the server cannot be
 * reached later.
 */
export async function sendOrRecall(
  url: string,
  request: RequestInit,
  send: (url: string, request: RequestInit) => Promise<Response>,
): Promise<Response> {
  if (!hasCaches || !isKept(url, request)) {
    const response = await send(url, request)
    reportAnswer()
    return response
  }
  const owner = localStorage.getItem(OWNER_KEY)
  const session = queryClient.getQueryData<KnownSession>(SESSION_KEY)
  // Another account may have taken over when the answer comes.
  const isOf = (account: string) =>
    (owner ?? account) === account && (session === undefined || String(session?.user.id) === account)
  try {
    const response = await send(url, request)
    reportAnswer()
    if (response.status === 200) keep(isOf, url, response.clone()).catch(() => undefined)
    else if (response.status === 401) await deleteKeptAnswers()
    else if (owner !== null && GONE.has(response.status)) await forget(owner, url)
    return response
  } catch (error) {
    const kept = owner === null || request.signal?.aborted === true ? undefined : await recall(owner, url)
    if (!kept) throw error
    return kept
  }
}

/** Starts to keep answers for this account, and deletes those of others. */
export async function keepAnswersFor(account: number): Promise<void> {
  if (!hasCaches || localStorage.getItem(OWNER_KEY) === String(account)) return
  await deleteKeptAnswers()
  localStorage.setItem(OWNER_KEY, String(account))
}

/** Installs the service worker, which keeps the built pages. */
export async function keepPages(): Promise<void> {
  if (hasCaches && 'serviceWorker' in navigator) await navigator.serviceWorker.register(SERVICE_WORKER)
}

/** Deletes all that is kept for work without a connection, so that the next person on this device finds none of it. */
export async function deleteKeptAnswers(): Promise<void> {
  if (!hasCaches) return
  // First, and synchronously: answers that arrive from now on are not kept, in any tab.
  localStorage.removeItem(OWNER_KEY)
  const names = await caches.keys()
  await Promise.all(names.filter((name) => name.startsWith(ALL_PREFIX)).map((name) => caches.delete(name)))
  const workers = 'serviceWorker' in navigator ? await navigator.serviceWorker.getRegistrations() : []
  await Promise.all(workers.map((worker) => worker.unregister()))
}

export function isKept(url: string, { method = 'GET', headers }: RequestInit): boolean {
  const isJson = new Headers(headers).get('accept') === 'application/json'
  const { pathname } = new URL(url, location.origin)
  return method === 'GET' && isJson && KEPT_PATHS.some((path) => path.test(pathname))
}

async function keep(isOf: (account: string) => boolean, url: string, response: Response): Promise<void> {
  const bytes = await response.arrayBuffer()
  if (bytes.byteLength > MAX_ANSWER_BYTES) return
  const owner = String(await findSessionAccount())
  if (!isOf(owner) || localStorage.getItem(OWNER_KEY) !== owner) return
  const headers = new Headers(response.headers)
  headers.delete('content-encoding')
  headers.set(KEPT_ON, new Date().toISOString())
  const cache = await caches.open(ANSWERS_PREFIX + owner)
  // Between this check and `put`, nothing else runs: a deletion before is seen, one after deletes this answer too.
  if (localStorage.getItem(OWNER_KEY) !== owner) {
    await caches.delete(ANSWERS_PREFIX + owner)
    return
  }
  await cache.put(url, new Response(bytes, { status: response.status, headers }))
  const kept = await cache.keys()
  // In the order of their last `put`.
  await Promise.all(kept.slice(0, Math.max(0, kept.length - MAX_ANSWERS)).map((oldest) => cache.delete(oldest)))
}

/** Deletes the answers of this address and of those below it. */
async function forget(owner: string, url: string): Promise<void> {
  const { pathname } = new URL(url, location.origin)
  const cache = await caches.open(ANSWERS_PREFIX + owner)
  const kept = await cache.keys()
  const gone = kept.filter((request) => `${new URL(request.url).pathname}/`.startsWith(`${pathname}/`))
  await Promise.all(gone.map((request) => cache.delete(request, { ignoreVary: true })))
}

async function recall(owner: string, url: string): Promise<Response | undefined> {
  const session = queryClient.getQueryData<KnownSession>(SESSION_KEY)
  const isOther = session !== undefined && String(session?.user.id) !== owner
  if (isOther || localStorage.getItem(OWNER_KEY) !== owner) return undefined
  const kept = await caches.match(url, { cacheName: ANSWERS_PREFIX + owner, ignoreVary: true })
  const keptOn = new Date(kept?.headers.get(KEPT_ON) ?? 0)
  if (!kept || Date.now() - keptOn.getTime() > MAX_AGE_MS) return undefined
  reportKept(keptOn)
  return kept
}

/** The account of this page; undefined: none. The first answers of a page come before that of its session. */
async function findSessionAccount(): Promise<number | undefined> {
  const end = Date.now() + SESSION_TIMEOUT_MS
  while (Date.now() < end) {
    const session = queryClient.getQueryData<KnownSession>(SESSION_KEY)
    const isRecalled = queryClient.getQueryData(connectionQuery.queryKey)?.keptOn !== undefined
    if (session !== undefined && !isRecalled) return session?.user.id ?? undefined
    await new Promise((resolve) => void setTimeout(resolve, SESSION_POLL_MS))
  }
  return undefined
}
