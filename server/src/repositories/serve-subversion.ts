import type { Context } from '../platform/operation/context.ts'
import { serveHooks, type Serving } from './hooks/serve-hooks.ts'
import { serveSignIn } from './sign-in/serve-sign-in.ts'

/** Answers Apache, which asks who may come in, and the hooks, which ask what may be committed. */
export async function serveSubversion(context: Context): Promise<Serving> {
  // Without a place for repositories there is nothing to ask about.
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
