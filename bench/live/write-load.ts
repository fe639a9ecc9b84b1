import { setTimeout as pause } from 'node:timers/promises'
import { POINTS } from '../../server/src/commands/bench-data/bench-tracker.ts'
import { chanceOf } from '../../server/src/commands/bench-data/chance.ts'
import type { Ids } from '../../server/src/commands/bench-data/generate-artifact.ts'
import { HttpConnection } from '../artifacts/http-connection.ts'
import type { LiveClient } from './live-client.ts'

/** A write with the times of its request and its response. */
export interface TimedWrite {
  readonly id: number
  readonly v: string
  readonly sent: number
  readonly answered: number
}

interface Load {
  readonly origin: string
  readonly key: string
  readonly ids: Ids
  readonly size: number
  readonly aSecond: number
  readonly seconds: number
  /** The same seed repeats the same writes, which then change nothing. */
  readonly seed?: number
  /** Most writes go to rows that a client shows. */
  readonly clients: readonly LiveClient[]
}

/** Writes at a constant rate: of ten, six to a followed row, two to any row, and two new artifacts. */
export async function writeEvenly(load: Load): Promise<TimedWrite[]> {
  const { hostname, port } = new URL(load.origin)
  const connections = await Promise.all(Array.from({ length: 8 }, () => HttpConnection.open(hostname, Number(port))))
  const free = [...connections]
  const chances = chanceOf(20_260_301 + (load.seed ?? 0))
  const chance = () => chances.unit()
  const writes: Promise<TimedWrite>[] = []
  const began = performance.now()
  for (let turn = 0; turn < load.aSecond * load.seconds; turn++) {
    await pause(Math.max(0, began + (turn * 1000) / load.aSecond - performance.now()))
    while (free.length === 0) await pause(1)
    const connection = free.shift() // In turn: the server closes connections that stay idle.
    if (connection) writes.push(writeOnce(connection, load, turn, chance).finally(() => free.push(connection)))
  }
  const written = await Promise.all(writes)
  for (const connection of connections) connection.end()
  return written
}

async function writeOnce(
  connection: HttpConnection,
  load: Load,
  turn: number,
  chance: () => number,
): Promise<TimedWrite> {
  const { ids, key, clients, size } = load
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(chance() * list.length)]
  const values = {
    title: { value: `Live ${Math.floor(chance() * 1000)} of turn ${turn}, seed ${load.seed ?? 0}` },
    status: { bind_value_ids: [pick(ids.values['status'] ?? [])] },
    points: { value: pick(POINTS) },
    due: { value: `2025-0${1 + Math.floor(chance() * 9)}-1${Math.floor(chance() * 10)}` },
  }
  const isNew = turn % 10 >= 8
  const seen = pick(pick(clients)?.rows.ids ?? [])
  const target = turn % 10 < 6 && seen !== undefined ? seen : 1 + Math.floor(chance() * size)
  const body = isNew
    ? { tracker: { id: ids.tracker }, values_by_field: values }
    : { values_by_field: values, comment: { body: '', format: 'text' } }
  const sent = performance.now()
  const reply = await connection.send(
    isNew ? 'POST' : 'PUT',
    isNew ? '/api/artifacts' : `/api/artifacts/${target}`,
    `X-Auth-AccessKey: ${key}\r\n`,
    JSON.stringify(body),
  )
  const answered = performance.now()
  if (reply.status !== 200 && reply.status !== 201) throw new Error(`A write answered ${reply.status} ${reply.body}`)
  const id = isNew ? Number(/"id":(\d+)/.exec(reply.body)?.[1]) : target
  return { id, v: reply.etag.replace(/^"/, '').split('.')[0] ?? '', sent, answered }
}
