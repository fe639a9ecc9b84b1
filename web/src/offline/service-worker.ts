// Keeps the built pages, so that they open without a connection. It never sees data: `kept-answers.ts` keeps answers of
// the API, for one account. The build replaces `BUILT_VERSION` and `BUILT_FILES`.

const PREFIX = 'waypost-pages-'
const CACHE = PREFIX + BUILT_VERSION
const DOCUMENT = '/'
/** Served by others than the pages. */
const NOT_PAGES = /^\/(?:api|files|goto|svn|unsubscribe)(?:\/|$)/

// A new version waits until the tabs of the old one are closed: these need the files of their own build.
self.addEventListener('install', (event) => event.waitUntil(fill()))
self.addEventListener('activate', (event) => event.waitUntil(takeOver()))
self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin) return
  if (pathname.startsWith('/assets/')) event.respondWith(findFile(request))
  else if (request.mode === 'navigate' && !NOT_PAGES.test(pathname)) event.respondWith(networkFirst(request, DOCUMENT))
  else if (BUILT_FILES.includes(pathname)) event.respondWith(networkFirst(request, pathname))
})

async function fill(): Promise<void> {
  const cache = await caches.open(CACHE)
  await cache.addAll([DOCUMENT, ...BUILT_FILES].map((path) => new Request(path, { cache: 'no-cache' })))
}

async function takeOver(): Promise<void> {
  const names = await caches.keys()
  await Promise.all(
    names.filter((name) => name.startsWith(PREFIX) && name !== CACHE).map((name) => caches.delete(name)),
  )
  await self.clients.claim()
}

/** The names of these files contain a hash of their content. */
async function findFile(request: Request): Promise<Response> {
  return (await kept(request)) ?? fetch(request)
}

async function networkFirst(request: Request, path: string): Promise<Response> {
  try {
    return await fetch(request)
  } catch (error) {
    const found = await kept(path)
    if (!found) throw error
    return found
  }
}

/** Vary names the language and the coding, which are those of this browser. */
function kept(request: Request | string): Promise<Response | undefined> {
  return caches.match(request, { cacheName: CACHE, ignoreVary: true })
}
