import { connect } from 'node:net'
import { text } from 'node:stream/consumers'

/** The input of this process, on standard input: it downloads and counts bytes. */
export interface DownloadOrder {
  readonly port: number
  readonly paths: readonly string[]
  readonly headers: readonly string[]
  /** The number of parallel downloads, each repeated. */
  readonly parallel: number
  readonly seconds: number
}

export interface DownloadOutcome {
  readonly downloads: number
  readonly bytes: number
  readonly seconds: number
}

const END_OF_HEAD = Buffer.from('\r\n\r\n')

/** Downloads files over one connection until the time is up; the last download is completed. */
function download(order: DownloadOrder, from: number, until: number): Promise<{ downloads: number; bytes: number }> {
  const { port, paths, headers } = order
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    const count = { downloads: 0, bytes: 0 }
    let at = from
    let head = Buffer.alloc(0)
    let left = 0
    const ask = () => {
      head = Buffer.alloc(0)
      const lines = [`GET ${paths[at++ % paths.length] ?? '/'} HTTP/1.1`, `Host: 127.0.0.1:${port}`, ...headers, '', '']
      socket.write(lines.join('\r\n'))
    }
    const arrived = (body: Buffer) => {
      left -= body.length
      count.bytes += body.length
      if (left > 0) return
      count.downloads++
      if (performance.now() < until) ask()
      else {
        socket.destroy()
        resolve(count)
      }
    }
    socket.on('data', (chunk: Buffer) => {
      if (left > 0) return arrived(chunk)
      head = Buffer.concat([head, chunk])
      const end = head.indexOf(END_OF_HEAD)
      if (end < 0) return
      const [first = '', ...lines] = head.subarray(0, end).toString().split('\r\n')
      const length = lines.find((line) => /^content-length:/i.test(line))?.split(':')[1]
      if (!first.includes(' 200 ') || length === undefined) return reject(new Error(`${first} ${lines.join(' | ')}`))
      left = Number(length)
      arrived(head.subarray(end + END_OF_HEAD.length))
    })
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('The connection was closed.')))
    ask()
  })
}

if (import.meta.main) {
  const order: DownloadOrder = JSON.parse(await text(process.stdin))
  const began = performance.now()
  const until = began + order.seconds * 1000
  const counts = await Promise.all(Array.from({ length: order.parallel }, (_, from) => download(order, from, until)))
  const sum = (name: 'downloads' | 'bytes') => counts.reduce((all, each) => all + each[name], 0)
  const outcome: DownloadOutcome = {
    downloads: sum('downloads'),
    bytes: sum('bytes'),
    seconds: (performance.now() - began) / 1000,
  }
  process.stdout.write(JSON.stringify(outcome))
}
