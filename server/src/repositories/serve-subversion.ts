import type { Context } from '../platform/operation/context.ts'
import { serveHooks, type HookServer } from './hooks/serve-hooks.ts'
import { serveSignIn } from './sign-in/serve-sign-in.ts'

/** Serves the sign-in requests of Apache and the requests of the commit hooks. */
export async function serveSubversion(context: Context): Promise<HookServer> {
  // Without a repository root there is nothing to serve.
  if (context.config.WAYPOST_SVN_ROOT === null) return { close: async () => {}, settled: async () => {} }
  const hooks = await serveHooks(context)
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
