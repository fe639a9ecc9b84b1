import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { Client, type FieldDef, type PoolClient } from 'pg'

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
  if (client instanceof Client) describeOnce(client)
  const send = client.query.bind(client)
  Object.assign(client, {
    query(text: unknown, values?: unknown, ...more: unknown[]): unknown {
      const name = typeof text === 'string' && Array.isArray(values) && values.length > 0 ? nameOf(text) : undefined
      return Reflect.apply(send, client, name ? [{ name, text, values }, ...more] : [text, values, ...more])
    },
  })
}

/**
 * The driver asks for the columns of a prepared statement on every execution. PostgreSQL never changes them while the
 * statement exists ("cached plan must not change result type"), so later executions use the first description.
 */
function describeOnce({ connection }: Pick<Client, 'connection'>): void {
  /** Null: the statement returns no rows. */
  const columns = new Map<string, readonly FieldDef[] | null>()
  const bind = connection.bind.bind(connection)
  const describe = connection.describe.bind(connection)
  let bound = ''
  let described: string | undefined
  const learn = (fields: readonly FieldDef[] | null) => {
    if (described) columns.set(described, fields)
    described = undefined
  }
  Object.assign(connection, {
    bind(...[config, more]: Parameters<typeof bind>): void {
      bound = config?.statement ?? ''
      bind(config, more)
    },
    describe(...[message, more]: Parameters<typeof describe>): void {
      const fields = columns.get(bound)
      if (fields === undefined) {
        described = bound
        describe(message, more)
      } else if (fields) connection.emit('rowDescription', { fields })
    },
  })
  connection.on('rowDescription', ({ fields }: { fields: readonly FieldDef[] }) => learn(fields))
  connection.on('noData', () => learn(null))
  // A statement that failed has not been described.
  connection.on('readyForQuery', () => (described = undefined))
}
