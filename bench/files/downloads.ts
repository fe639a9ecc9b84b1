import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { print, table } from '../../server/src/commands/print.ts'
import { MARA } from '../../server/test/fixtures/people.ts'
import { round } from '../quantiles.ts'
import type { DownloadOrder, DownloadOutcome } from './download-load.ts'
import { type Nginx, startNginx } from './nginx.ts'
import { type FilesWorld, makeUploadTracker } from './world.ts'

export interface DownloadOptions {
  readonly files: number
  readonly bytes: number
  readonly parallel: number
  readonly seconds: number
  readonly turns: number
}

export interface DownloadFigures extends DownloadOptions {
  /** MB per second, the best round of each; null if nginx is not installed. */
  readonly nginx: number | null
  readonly direct: number
  readonly handed_over: number | null
  readonly direct_ratio: number | null
  readonly handed_over_ratio: number | null
}

const LOAD = fileURLToPath(new URL('download-load.ts', import.meta.url))
/** Anonymous, so that no rate limit per account applies. */
const HEADERS: readonly string[] = []

/** Public files downloaded in parallel: from our server, from nginx by X-Accel-Redirect, and from nginx alone. */
export async function measureDownloads(world: FilesWorld, options: DownloadOptions): Promise<DownloadFigures> {
  const server = await world.start()
  const { paths, contents } = await store(world, server, options)
  await server.stop()
  const nginx = await startNginx(world)
  if (!nginx) print('nginx is not here (Debian has it in nginx-light): only our own server is measured.')
  try {
    const rates = await inTurns(world, options, nginx, { paths, contents })
    const best = (name: keyof Rates) => (rates[name].length > 0 ? round(Math.max(...rates[name])) : null)
    const [alone, direct, handedOver] = [best('nginx'), best('direct') ?? 0, best('handed_over')]
    const ratio = (rate: number | null) => (alone === null || rate === null ? null : round(rate / alone))
    const figures = {
      ...options,
      nginx: alone,
      direct,
      handed_over: handedOver,
      direct_ratio: ratio(direct),
      handed_over_ratio: ratio(handedOver),
    }
    print(
      table([
        [`${options.parallel} downloads of ${options.bytes} bytes`, 'MB/s', 'of nginx'],
        ['nginx alone', String(alone ?? '-'), '1'],
        ['Waypost', String(direct), String(figures.direct_ratio ?? '-')],
        ['nginx, handed over by Waypost', String(handedOver ?? '-'), String(figures.handed_over_ratio ?? '-')],
      ]),
    )
    return figures
  } finally {
    await nginx?.stop()
  }
}

interface Stored {
  /** Their public paths. */
  readonly paths: readonly string[]
  /** Their paths in the store. */
  readonly contents: readonly string[]
}

async function store(world: FilesWorld, server: Awaited<ReturnType<FilesWorld['start']>>, options: DownloadOptions) {
  const shelf = await makeUploadTracker(server, 'popular')
  const origin = `http://127.0.0.1:${world.port}`
  const ids: number[] = []
  const contents: string[] = []
  for (let count = 0; count < options.files; count++) {
    const bytes = randomBytes(options.bytes)
    const digest = createHash('sha256').update(bytes).digest('hex')
    const { id, upload } = await shelf.announce(`file-${count}.bin`, bytes.length)
    const headers = {
      'x-auth-accesskey': MARA.key,
      'tus-resumable': '1.0.0',
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
    }
    const answer = await fetch(`${origin}${upload}`, { method: 'PATCH', headers, body: bytes })
    if (answer.status !== 204) throw new Error(`The file was not taken: ${answer.status} ${await answer.text()}`)
    ids.push(id)
    contents.push(`/content/${digest.slice(0, 2)}/${digest}`)
  }
  await shelf.attach(ids)
  return { paths: ids.map((id, count) => `/files/${id}/file-${count}.bin`), contents } satisfies Stored
}

interface Rates {
  readonly nginx: number[]
  readonly direct: number[]
  readonly handed_over: number[]
}

/** Alternates several times, so that other load on the machine affects all of them. */
async function inTurns(
  world: FilesWorld,
  { parallel, seconds, turns }: DownloadOptions,
  nginx: Nginx | undefined,
  { paths, contents }: Stored,
): Promise<Rates> {
  const rates: Rates = { nginx: [], direct: [], handed_over: [] }
  const rateOf = async (port: number, wanted: readonly string[], headers: readonly string[]) => {
    const { bytes, seconds: took } = await load({ port, paths: wanted, headers, parallel, seconds })
    return bytes / took / 1e6
  }
  const serving = async (more: Record<string, string>, work: () => Promise<void>) => {
    const server = await world.start(more)
    try {
      await work()
    } finally {
      await server.stop()
    }
  }
  for (let turn = 0; turn < turns; turn++) {
    await serving({}, async () => void rates.direct.push(await rateOf(world.port, paths, HEADERS)))
    if (!nginx) continue
    rates.nginx.push(await rateOf(nginx.port, contents, []))
    await serving({ WAYPOST_FILES_ACCEL: '/waypost-files/' }, async () => {
      rates.handed_over.push(await rateOf(nginx.port, paths, HEADERS))
    })
  }
  return rates
}

async function load(order: DownloadOrder): Promise<DownloadOutcome> {
  const child = spawn(process.execPath, [LOAD], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(JSON.stringify(order))
  const written = await text(child.stdout)
  if (written === '') throw new Error('The downloads ended without a result.')
  return JSON.parse(written)
}
