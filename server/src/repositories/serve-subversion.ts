import type { Context } from '../platform/operation/context.ts'
import { listServedProjects } from './disk/apache-faults.ts'
import { serveProjects } from './disk/serve-project.ts'
import { serveHooks, type HookServer } from './hooks/serve-hooks.ts'
import { serveSignIn } from './sign-in/serve-sign-in.ts'

/** Serves the sign-in requests of Apache and the requests of the commit hooks. */
export async function serveSubversion(context: Context): Promise<HookServer> {
  // Without a repository root there is nothing to serve.
  if (context.config.WAYPOST_SVN_ROOT === null) return { close: async () => {}, settled: async () => {} }
  const hooks = await serveHooks(context)
  await serveKnownProjects(context)
  const signIn = await serveSignIn(context).catch(async (error: unknown) => {
    await hooks.close()
    throw error
  })
  return {
    settled: () => hooks.settled(),
    async close() {
      await Promise.all([signIn.close(), hooks.close()])
    },
  }
}

/** After a restore, the files that let Apache serve the projects may be missing. A failure does not stop the server. */
async function serveKnownProjects({ db, config, log }: Context): Promise<void> {
  try {
    const projects = await serveProjects(config, await listServedProjects(db))
    if (projects.length > 0)
      log.warn({ projects }, "Apache's files of projects were missing or different: written anew")
  } catch (error) {
    log.error({ err: error }, "Apache's files of projects cannot be written, or Apache cannot load them")
  }
}
