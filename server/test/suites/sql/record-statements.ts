import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { PrimaryClient } from '../../../src/platform/database/primary-client.ts'

export interface SentStatement {
  readonly connection: Client
  readonly text: string
}

/** Records the SQL texts that this process sends to PostgreSQL, in order. Start it before the first connection. */
interface StatementRecorder {
  /** Runs `work`, and resolves with the statements that it sent, also those after its response. */
  record(work: () => Promise<unknown>): Promise<readonly SentStatement[]>
  stop(): void
}

const QUIET_MS = 20

/** Pooled connections inherit the recording `query`: values stay `$1`, and prepared statements show their text. */
export function startRecorder(): StatementRecorder {
  const send = Object.getOwnPropertyDescriptor(Client.prototype, 'query')?.value
  let sent: SentStatement[] = []
  let isRecording = false
  Object.assign(PrimaryClient.prototype, {
    query(this: Client, ...given: unknown[]): unknown {
      if (isRecording) sent.push({ connection: this, text: textOf(given[0]) })
      return Reflect.apply(send, this, given)
    },
  })
  return {
    async record(work) {
      sent = []
      isRecording = true
      try {
        await work()
        await untilUnchanged(() => sent.length)
        return sent
      } finally {
        isRecording = false
      }
    },
    stop: () => void Reflect.deleteProperty(PrimaryClient.prototype, 'query'),
  }
}

function textOf(statement: unknown): string {
  if (typeof statement === 'string') return statement
  if (typeof statement === 'object' && statement !== null && 'text' in statement && typeof statement.text === 'string')
    return statement.text
  throw new Error('A statement without a text was sent.')
}

/** The server may write after its response, for example the last use of a key. */
async function untilUnchanged(count: () => number): Promise<void> {
  for (let before = -1; before !== count(); ) {
    before = count()
    await pause(QUIET_MS)
  }
}

/** The transaction with the most statements. It separates one effect from requests and polls at the same time. */
export function longestTransaction(sent: readonly SentStatement[]): readonly SentStatement[] {
  const transactions = [...Map.groupBy(sent, ({ connection }) => connection).values()].flatMap(splitTransactions)
  return transactions.toSorted((one, other) => other.length - one.length)[0] ?? []
}

function splitTransactions(sent: readonly SentStatement[]): SentStatement[][] {
  const transactions: SentStatement[][] = []
  let isOpen = false
  for (const statement of sent) {
    if (/^(?:begin|start transaction)/.test(statement.text)) {
      transactions.push([])
      isOpen = true
    }
    if (isOpen) transactions.at(-1)?.push(statement)
    if (/^(?:commit|rollback)/.test(statement.text)) isOpen = false
  }
  return transactions
}
