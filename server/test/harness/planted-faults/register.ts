import { registerHooks } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { findWrapper } from './interposed.ts'
import { plantedFault } from './plant.ts'

// `node --import` of this file starts a server with the fault of `WAYPOST_PLANT`. The server refuses unknown settings,
// so this one is removed after it has been read.
delete process.env['WAYPOST_PLANT']
if (!plantedFault) throw new Error('WAYPOST_PLANT names no fault.')

const toPath = (url: string | undefined) => (url?.startsWith('file:') ? fileURLToPath(url) : undefined)

registerHooks({
  resolve(specifier, context, nextResolve) {
    const resolved = nextResolve(specifier, context)
    const wrapper = findWrapper(toPath(resolved.url) ?? '', toPath(context.parentURL))
    return wrapper === undefined ? resolved : { ...resolved, url: pathToFileURL(wrapper).href }
  },
})
