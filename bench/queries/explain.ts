import { Client } from 'pg'
import { print } from '../../server/src/commands/print.ts'
import { headersFor, captureLog, type CapturedStatement, withStatementLog } from '../artifacts/capture.ts'
import type { Cluster } from '../artifacts/cluster.ts'

const READS = /^(\/\*.*?\*\/)?\s*(with|select)\b/

/** Prints the plans of the statements of list requests. */
export async function explainRequests(cluster: Cluster, asked: readonly { readonly path: string }[]): Promise<void> {
  const sent = await withStatementLog(cluster, async (api) => {
    const ask = async (path: string) => void (await api.get(path.replace('/api', ''), headersFor('member')))
    const statements: { path: string; sent: CapturedStatement[] }[] = []
    for (const { path } of asked) {
      await ask(path) // The first request fills caches.
      statements.push({ path, sent: await captureLog(cluster, () => ask(path)) })
    }
    return statements
  })
  // As the connections of the server: compiling such plans takes longer than running them.
  const client = new Client({ connectionString: cluster.appUrl, options: '-c jit=off' })
  await client.connect()
  try {
    for (const { path, sent: statements } of sent) {
      print(`--- ${decodeURIComponent(path.replaceAll('+', ' '))}`)
      for (const { sql, values } of statements.filter((each) => READS.test(each.sql))) {
        const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain (analyze, buffers) ${sql}`, [...values])
        print(rows.map((row) => row['QUERY PLAN']).join('\n'))
      }
    }
  } finally {
    await client.end()
  }
}
