import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeEach } from 'vitest'
import type { TestClient } from '../harness/client.ts'
import { COMPILE_CACHE } from '../harness/compile-cache.ts'
import { ADA } from '../fixtures/people.ts'

interface ReceivedRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface WebhookReceiver {
  readonly port: number
  /** `/status/500`, `/silent`, `/once/503`, …: see the process. */
  url(path?: string): string
  /** All requests in order; emptied before each test. */
  received(): Promise<ReceivedRequest[]>
  /** Waits for this many requests. */
  until(count: number, timeoutMs?: number): Promise<ReceivedRequest[]>
  /** The maximum number of concurrent requests. */
  maxConcurrency(): Promise<number>
  /** Sets the response status for paths that do not specify one. */
  answerWith(status: number): Promise<void>
}

const PROCESS = fileURLToPath(new URL('webhook-receiver-process.ts', import.meta.url))

/** A real webhook receiver in another process. */
export async function startReceiver(tls?: { key: string; cert: string }): Promise<WebhookReceiver> {
  const child = fork(PROCESS, {
    env: { PATH: process.env['PATH'], ...COMPILE_CACHE, ...(tls && { TLS_KEY: tls.key, TLS_CERT: tls.cert }) },
  })
  const [{ port }] = await once(child, 'message')
  afterAll(() => {
    child.kill()
  })
  beforeEach(async () => void (await ask(child, 'forget')))
  const received = async () => (await ask(child, 'tell')).received
  return {
    port,
    url: (path = '/') => `${tls ? 'https' : 'http'}://127.0.0.1:${port}${path}`,
    received,
    async until(count, timeoutMs = 60_000) {
      for (const end = Date.now() + timeoutMs; ; ) {
        const all = await received()
        if (all.length >= count) return all
        if (Date.now() > end) throw new Error(`Only ${all.length} of ${count} came.`)
        await pause(20)
      }
    },
    maxConcurrency: async () => (await ask(child, 'tell')).maxConcurrency,
    answerWith: async (status) => void (await ask(child, { status })),
  }
}

async function ask(
  child: ChildProcess,
  order: object | string,
): Promise<{ received: ReceivedRequest[]; maxConcurrency: number }> {
  const answer = once(child, 'message')
  child.send(order)
  const [reply] = await answer
  return reply
}

/** The sent payload, as a receiver of the form parses it. */
export function payloadOf({ body, headers }: ReceivedRequest) {
  const text = headers['content-type'] === 'application/json' ? body : decodeURIComponent(body.slice('payload='.length))
  return JSON.parse(text)
}

/** Allows deliveries to the loopback, where test receivers run; the SSRF guard refuses it by default. */
export async function allowLoopback(api: TestClient): Promise<void> {
  const { status, text } = await api.patch('/settings', { as: ADA, body: { webhook_private_targets: ['127.0.0.0/8'] } })
  if (status !== 200) throw new Error(text)
}
