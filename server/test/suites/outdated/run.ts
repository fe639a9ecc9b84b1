import { execFile } from 'node:child_process'
import { listOutdated, type Outdated, type PublishTimes, renderOutdated } from './outdated.ts'

// `npm run outdated`: outdated packages and their age. Part of the release checklist; it never fails because of age.

const READ_CONCURRENCY = 4

/** `npm outdated` exits with 1 if anything is outdated. */
function npm(...args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile('npm', [...args, '--json'], { maxBuffer: 2 ** 26 }, (error, out, said) => {
      if (out.trim() === '' && error && error.code !== 1) reject(new Error(said))
      else resolve(out.trim() === '' ? '{}' : out)
    })
  })
}

const outdated: Outdated = JSON.parse(await npm('outdated'))
const times: Record<string, PublishTimes> = {}
const names = Object.keys(outdated).values()
const readTimes = async () => {
  for (const name of names) times[name] = JSON.parse(await npm('view', name, 'time'))
}
await Promise.all(Array.from({ length: READ_CONCURRENCY }, readTimes))
process.stdout.write(`${renderOutdated(listOutdated(outdated, times, new Date()))}\n`)
