import { createServer } from 'node:http'

// A webhook receiver in a separate process. It answers at once, and counts by path; a repeated or overtaken delivery of
// a path is counted too.

interface Received {
  count: number
  repeated: number
  overtaken: number
  last: number
  readonly seen: Set<number>
}

const byPath = new Map<string, Received>()

const server = createServer((incoming, answer) => {
  incoming.resume()
  incoming.once('end', () => {
    const path = incoming.url ?? ''
    const received = byPath.get(path) ?? { count: 0, repeated: 0, overtaken: 0, last: 0, seen: new Set() }
    byPath.set(path, received)
    const delivery = Number(incoming.headers['x-waypost-delivery'])
    if (received.seen.has(delivery)) received.repeated++
    if (delivery < received.last) received.overtaken++
    received.count++
    received.last = delivery
    received.seen.add(delivery)
    answer.writeHead(204).end()
  })
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.({ port: typeof address === 'object' && address ? address.port : 0 })
})

process.on('message', (order) => {
  const totals = [...byPath].map(([path, { count, repeated, overtaken }]) => ({ path, count, repeated, overtaken }))
  if (order === 'forget') byPath.clear()
  process.send?.(totals)
})
process.once('disconnect', () => process.exit())
