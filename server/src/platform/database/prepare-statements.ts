import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { PoolClient } from 'pg'

const MOST = 1000

/** At the beginning of a statement whose best plan depends on its values: it is planned with them, each time. */
export const plannedAnew = sql`/* planned anew */`
const PLANNED_ANEW = '/* planned anew */'

/**
 * How PostgreSQL will know each text again: what is sent a second time is prepared, and planned no more often than the
 * plan asks for. Planning our longest statements takes longer than running them.
 */
export function createStatementNames(): (text: string) => string | undefined {
  const names = new Map<string, string | undefined>()
  return (text) => {
    if (text.startsWith(PLANNED_ANEW)) return undefined
    const known = names.get(text)
    if (known !== undefined) return known
    const isSecond = names.has(text)
    // Texts that vary without end would fill the memory of both sides: then only those that came first have names.
    if (!isSecond && names.size >= MOST) return undefined
    const name = isSecond ? createHash('sha256').update(text).digest('base64url').slice(0, 24) : undefined
    names.set(text, name)
    return name
  }
}

/** Lets a connection send statements with values by name. */
export function prepareStatements(client: PoolClient, nameOf: (text: string) => string | undefined): void {
  const send = client.query.bind(client)
  Object.assign(client, {
    query(text: unknown, values?: unknown, ...more: unknown[]): unknown {
      const name = typeof text === 'string' && Array.isArray(values) && values.length > 0 ? nameOf(text) : undefined
      return Reflect.apply(send, client, name ? [{ name, text, values }, ...more] : [text, values, ...more])
    },
  })
}
