import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

const FLAGS = [
  '--no-sandbox', // Chromium refuses to run as root with a sandbox.
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1', // Blocks access to the internet.
]

/** The path of the browser; undefined: tests that need it are skipped. */
export const CHROMIUM = process.env['WAYPOST_CHROMIUM'] ?? findOnPath('chromium')

export function startBrowser(): Promise<Browser> {
  if (CHROMIUM === undefined) throw new Error('There is no Chromium: `npm run setup` installs it.')
  return chromium.launch({ executablePath: CHROMIUM, args: FLAGS })
}

function findOnPath(name: string): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((directory) => join(directory, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK)
        return true
      } catch {
        return false
      }
    })
}
