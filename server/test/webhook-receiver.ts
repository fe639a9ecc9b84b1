import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeEach } from 'vitest'
import type { Client } from './client.ts'
import { COMPILE_CACHE } from './compile-cache.ts'
import { ADA } from './people.ts'

interface ReceivedRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

interface WebhookReceiver {
  readonly port: number
  /** `/status/500`, `/silent`, `/once/503`, …: see the process. */
  url(path?: string): string
  /** Everything it got, in order; emptied before each test. */
  received(): Promise<ReceivedRequest[]>
  /** Waits until it has got so many. */
  until(count: number, patience?: number): Promise<ReceivedRequest[]>
  /** How many requests it was at, at the same time. */
  mostFlying(): Promise<number>
  /** What it answers from now on, where the path does not say it. */
  answerWith(status: number): Promise<void>
}

const PROCESS = fileURLToPath(new URL('webhook-receiver-process.ts', import.meta.url))

/** A real receiver of webhooks, in another process. */
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
    async until(count, patience = 20_000) {
      for (const end = Date.now() + patience; ; ) {
        const all = await received()
        if (all.length >= count) return all
        if (Date.now() > end) throw new Error(`Only ${all.length} of ${count} came.`)
        await pause(20)
      }
    },
    mostFlying: async () => (await ask(child, 'tell')).mostFlying,
    answerWith: async (status) => void (await ask(child, { status })),
  }
}

async function ask(
  child: ChildProcess,
  order: object | string,
): Promise<{ received: ReceivedRequest[]; mostFlying: number }> {
  const answer = once(child, 'message')
  child.send(order)
  const [told] = await answer
  return told
}

/** What was sent, as a receiver of the form reads it. */
export function payloadOf({ body, headers }: ReceivedRequest) {
  const text = headers['content-type'] === 'application/json' ? body : decodeURIComponent(body.slice('payload='.length))
  return JSON.parse(text)
}

/** Receivers in tests are on this machine, where nothing may be sent by itself. */
export async function allowLoopback(api: Client): Promise<void> {
  const { status, text } = await api.patch('/settings', { as: ADA, body: { webhook_private_targets: ['127.0.0.0/8'] } })
  if (status !== 200) throw new Error(text)
}
