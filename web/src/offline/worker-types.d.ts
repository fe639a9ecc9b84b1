// The types of workers and those of pages exclude each other, so these add to those of pages what the service worker uses.

/** Written by the build. */
declare const BUILT_VERSION: string
declare const BUILT_FILES: readonly string[]

interface ExtendableEvent extends Event {
  waitUntil(work: Promise<unknown>): void
}

interface FetchEvent extends ExtendableEvent {
  readonly request: Request
  respondWith(response: Promise<Response>): void
}

interface WindowEventMap {
  install: ExtendableEvent
  activate: ExtendableEvent
  fetch: FetchEvent
}

interface Window {
  readonly clients: { claim(): Promise<void> }
}
