import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { PoolClient } from 'pg'

const MAX_PREPARED_STATEMENTS = 1000

/** Marks a statement whose best plan depends on its values: it is planned on every execution. */
export const alwaysReplanHint = sql`/* planned anew */`
const ALWAYS_REPLAN_COMMENT = '/* planned anew */'

/**
 * Names for prepared statements: a text that is sent a second time is prepared, because planning our longest statements
 * takes longer than running them.
 */
export function createStatementNames(): (text: string) => string | undefined {
  const names = new Map<string, string | undefined>()
  return (text) => {
    if (text.startsWith(ALWAYS_REPLAN_COMMENT)) return undefined
    const known = names.get(text)
    if (known !== undefined) return known
    const isSecond = names.has(text)
    // Bounds the memory of both sides if texts vary without end: only the first ones get names.
    if (!isSecond && names.size >= MAX_PREPARED_STATEMENTS) return undefined
    const name = isSecond ? createHash('sha256').update(text).digest('base64url').slice(0, 24) : undefined
    names.set(text, name)
    return name
  }
}

/** Makes a connection send parameterized statements as prepared ones. */
export function prepareStatements(client: PoolClient, nameOf: (text: string) => string | undefined): void {
  const send = client.query.bind(client)
  Object.assign(client, {
    query(text: unknown, values?: unknown, ...more: unknown[]): unknown {
      const name = typeof text === 'string' && Array.isArray(values) && values.length > 0 ? nameOf(text) : undefined
      return Reflect.apply(send, client, name ? [{ name, text, values }, ...more] : [text, values, ...more])
    },
  })
}
