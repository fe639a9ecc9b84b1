import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** The files of the repository, or of these folders. Includes untracked files, so that a fault shows before its commit. */
export function listTrackedFiles(...folders: readonly string[]): string[] {
  const flags = ['--cached', '--others', '--exclude-standard', '-z']
  return execFileSync('git', ['ls-files', ...flags, '--', ...folders], { encoding: 'utf8' })
    .split('\0')
    .filter((file) => file !== '' && existsSync(file))
}
