import { Client } from 'pg'
import { print } from '../../server/src/commands/print.ts'
import { headersFor, listen, type Sent, withStatementLog } from '../artifacts/capture.ts'
import type { Cluster } from '../artifacts/cluster.ts'

const READS = /^(\/\*.*?\*\/)?\s*(with|select)\b/

/** How PostgreSQL ran the statements of requests that ask for lists. */
export async function explain(cluster: Cluster, asked: readonly { readonly path: string }[]): Promise<void> {
  const sent = await withStatementLog(cluster, async (api) => {
    const ask = async (path: string) => void (await api.get(path.replace('/api', ''), headersFor('member')))
    const statements: { path: string; sent: Sent[] }[] = []
    for (const { path } of asked) {
      await ask(path) // The first time fills memories.
      statements.push({ path, sent: await listen(cluster, () => ask(path)) })
    }
    return statements
  })
  const client = new Client({ connectionString: cluster.appUrl })
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
