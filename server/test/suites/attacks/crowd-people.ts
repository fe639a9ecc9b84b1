import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { TestClient } from '../../harness/client.ts'
import { BUG, BUGS } from '../../fixtures/seed-ids.ts'
import { mulberry32 } from './crowd-plan.ts'

/** People read a page before they open the next one. */
const MIN_PAUSE_MS = 400
const MAX_PAUSE_MS = 1200
const TIMEOUT_MS = 15_000
const READINESS_EVERY_MS = 250

/** Of the requests of ordinary people. */
export interface CrowdFigures {
  readonly requests: number
  readonly p50: number
  readonly p99: number
  readonly longest: number
  readonly failures: readonly string[]
  readonly readinessChecks: number
  /** Answers of `/readyz` other than 200. */
  readonly unready: readonly number[]
}

interface Page {
  readonly method: 'GET' | 'PUT'
  readonly path: string
  readonly body?: string
}

/** Each person has an address and a key of their own, and keeps their connection as a browser does. */
export async function usePlatform(
  api: TestClient,
  keys: readonly string[],
  seed: number,
  seconds: number,
): Promise<CrowdFigures> {
  const end = performance.now() + seconds * 1000
  const times: number[] = []
  const failures: string[] = []
  const unready: number[] = []
  let readinessChecks = 0
  const { json: found } = await api.get(`/trackers/${BUGS}/artifacts?limit=50`)
  const ids: readonly number[] = found.map(({ id }: { id: number }) => id)
  const use = async (key: string, index: number) => {
    const random = mulberry32(seed * 1000 + index)
    const agent = new Agent({ keepAlive: true, localAddress: `127.2.0.${index + 1}` })
    await pause(random() * MAX_PAUSE_MS)
    while (performance.now() < end) {
      const page = choosePage(random, ids, index)
      const began = performance.now()
      const status = await ask(agent, api.origin, key, page)
      times.push(performance.now() - began)
      if (status !== 200) failures.push(`${page.method} ${page.path}: ${status}`)
      await pause(MIN_PAUSE_MS + random() * (MAX_PAUSE_MS - MIN_PAUSE_MS))
    }
    agent.destroy()
  }
  const watchReadiness = async () => {
    while (performance.now() < end) {
      const { status } = await api.get('/readyz').catch(() => ({ status: 0 }))
      readinessChecks++
      if (status !== 200) unready.push(status)
      await pause(READINESS_EVERY_MS)
    }
  }
  await Promise.all([watchReadiness(), ...keys.map(use)])
  const inOrder = times.toSorted((one, other) => one - other)
  const at = (share: number) => inOrder[Math.min(inOrder.length - 1, Math.floor(inOrder.length * share))] ?? 0
  const figures = { requests: times.length, p50: at(0.5), p99: at(0.99), longest: at(1) }
  return { ...figures, failures, readinessChecks, unready }
}

/** The status, when the whole answer has come. */
function ask(agent: Agent, origin: string, key: string, { method, path, body }: Page): Promise<number | string> {
  return new Promise((resolve) => {
    const headers = {
      'x-auth-accesskey': key,
      ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    }
    const outgoing = request(`${origin}/api${path}`, { agent, method, headers, timeout: TIMEOUT_MS })
    outgoing.once('timeout', () => outgoing.destroy(new Error('No answer within 15 seconds.')))
    outgoing.once('error', (error) => resolve(String(error)))
    outgoing.once('response', (incoming) => {
      incoming.once('error', (error) => resolve(String(error)))
      incoming.resume().once('end', () => resolve(incoming.statusCode ?? 0))
    })
    outgoing.end(body)
  })
}

/** One in ten is a write; each person writes to an artifact of their own, so that none has to be repeated. */
function choosePage(random: () => number, ids: readonly number[], person: number): Page {
  if (random() < 0.1) {
    const body = JSON.stringify({ values: [{ field_id: BUG.points, value: Math.floor(random() * 1000) }] })
    return { method: 'PUT', path: `/artifacts/${ids[person % ids.length]}`, body }
  }
  const paths = [
    '/users/self',
    '/projects?limit=20',
    `/trackers/${BUGS}`,
    `/trackers/${BUGS}/artifacts?limit=20`,
    `/artifacts/${ids[Math.floor(random() * ids.length)]}`,
  ]
  return { method: 'GET', path: paths[Math.floor(random() * paths.length)] ?? '/users/self' }
}
