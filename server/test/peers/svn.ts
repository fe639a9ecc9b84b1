import { mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { startApache } from '../../src/repositories/disk/start-apache.ts'
import { serveSubversion } from '../../src/repositories/serve-subversion.ts'
import { searchForCanaries } from '../fixtures/canaries.ts'
import { answerTo, basic } from '../harness/client.ts'
import { startWorld } from '../harness/start-world.ts'
import type { TestPerson } from '../fixtures/people.ts'
import { createSvnClient, svnEnvironment } from './svn-client.ts'

/** A world with a real Apache for its repositories, seeded once. */
export async function startSvnWorld(more: Record<string, string> = {}) {
  const environment = { ...(await svnEnvironment()), ...more }
  const world = await startWorld({ environment, seedOnce: true })
  const { config } = world.context
  let serving = await serveSubversion(world.context)
  const apache = await startApache(config)
  const work = await mkdtemp(join(tmpdir(), 'waypost-svn-client-'))
  afterAll(async () => {
    await apache.stop()
    await serving.close()
    for (const folder of [work, environment.WAYPOST_SVN_ROOT]) await rm(folder, { recursive: true, force: true })
  })
  const origin = `http://127.0.0.1:${config.WAYPOST_SVN_LISTEN.port}`
  const client = createSvnClient(work, () => serving.settled())
  return {
    ...world,
    ...client,
    apache,
    root: environment.WAYPOST_SVN_ROOT,
    svnOrigin: origin,
    /** One raw request to Apache. */
    dav: (
      method: string,
      path: string,
      options: { as?: TestPerson; headers?: Record<string, string>; body?: string } = {},
    ) => dav(origin, method, path, options),
    /** Runs `doing` while the server serves neither Apache nor the hooks. */
    whileAway: async <T>(doing: () => Promise<T>): Promise<T> => {
      await serving.close()
      try {
        return await doing()
      } finally {
        serving = await serveSubversion(world.context)
      }
    },
  }
}

async function dav(
  origin: string,
  method: string,
  path: string,
  { as, headers = {}, body }: { as?: TestPerson; headers?: Record<string, string>; body?: string },
) {
  const outgoing = request(origin, { method, path, headers: { ...(as && basic(as)), ...headers } })
  outgoing.end(body)
  const incoming = await answerTo(outgoing)
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk))
  const text = Buffer.concat(chunks).toString()
  searchForCanaries(`${JSON.stringify(incoming.headers)}${text}`, as, `${method} ${path}`)
  return { status: incoming.statusCode ?? 0, headers: incoming.headers, text }
}
