import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { print } from '../../server/src/commands/print.ts'
import { captureStatements, type Script, SCRIPTS } from './capture.ts'
import { type Cluster, openCluster } from './cluster.ts'
import { deleteCreatedArtifacts } from './measure.ts'
import { type EngineScripts, scriptOf } from './script.ts'

const STATEMENTS = new URL('statements/', import.meta.url)

/** The scripts of the engine, from the statements that the server sends now. */
export async function captureScripts(cluster: Cluster): Promise<EngineScripts> {
  const captured = await captureStatements(cluster)
  const script = (name: Script) => scriptOf(name, captured[name], cluster.ids, cluster.size)
  return {
    'get-member': script('get-member'),
    'get-group': script('get-group'),
    'get-admin': script('get-admin'),
    put: script('put'),
    post: script('post'),
  }
}

/** Stores the statements that the server sends now. */
export async function refreshStatements(options: { readonly size: number; readonly data: string }): Promise<void> {
  const cluster = await openCluster(options.size, options.data)
  try {
    await storeStatements(await captureScripts(cluster))
  } finally {
    await deleteCreatedArtifacts(cluster)
    await cluster.stop()
  }
}

export async function storeStatements(scripts: EngineScripts): Promise<void> {
  await mkdir(STATEMENTS, { recursive: true })
  for (const name of SCRIPTS) await writeFile(fileOf(name), scripts[name].text)
}

/** Whether the stored statements are those that the server sends now. */
export async function areStatementsCurrent(scripts: EngineScripts): Promise<boolean> {
  let isCurrent = true
  for (const name of SCRIPTS) {
    const stored = await readFile(fileOf(name), 'utf8').catch(() => '')
    if (stored === scripts[name].text) continue
    isCurrent = false
    print(`${name}: the server sends other statements than bench/artifacts/statements has.`)
  }
  if (!isCurrent) print('Refresh them: npm run bench -- --only statements --smoke')
  return isCurrent
}

function fileOf(name: Script): URL {
  return new URL(`${name}.sql`, STATEMENTS)
}
