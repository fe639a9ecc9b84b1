import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { CHECKSUMS, packFolder, signChecksums, writeChecksums } from './pack-release.ts'

const run = promisify(execFile)
const MAX_OUTPUT_BYTES = 2 ** 26

export interface MadeRelease {
  readonly name: string
  readonly files: readonly string[]
}

/**
 * Makes the release of a tag or commit in the folder `out`: bundle, tarball, SBOM, checksums and, with a key, their
 * signature. It is built from a clean export with the packages of its lock file, by the programs of that commit.
 */
export async function makeRelease(ref: string, out: string, keyFile: string | undefined): Promise<MadeRelease> {
  const { commit, date, tag } = await resolveCommit(ref)
  const scratch = await mkdtemp(join(tmpdir(), 'waypost-release-'))
  try {
    await exportCommit(commit, scratch)
    const { version } = JSON.parse(await readFile(join(scratch, 'package.json'), 'utf8'))
    if (tag !== undefined && tag !== `v${version}`) throw new Error(`${tag} is the tag of version ${version}.`)
    const name = `waypost-${version}`
    await rm(join(out, name), { recursive: true, force: true })
    await mkdir(out, { recursive: true })
    await npm(scratch, 'ci', '--prefer-offline', '--no-progress')
    await npm(scratch, 'run', '--silent', 'build')
    const origin = ['--commit', commit, '--date', date.toISOString()]
    await run(process.execPath, ['release/bundle.ts', '--out', join(out, name), ...origin], { cwd: scratch })

    const archive = `${name}-linux-${process.arch}.tar.gz`
    const bill = `${name}.cdx.json`
    await packFolder(join(out, name), join(out, archive), date)
    await writeFile(join(out, bill), await readFile(join(out, name, 'sbom.cdx.json')))
    await writeChecksums(out, [archive, bill])
    if (keyFile !== undefined) await signChecksums(out, keyFile)
    return { name, files: [archive, bill, CHECKSUMS, ...(keyFile === undefined ? [] : [`${CHECKSUMS}.sig`])] }
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

/** The files of a commit, without the changes of the working tree. */
export async function exportCommit(commit: string, folder: string): Promise<void> {
  const archive = `${folder}.tar`
  try {
    await run('git', ['archive', '--format=tar', `--output=${archive}`, commit])
    await run('tar', ['--extract', `--file=${archive}`, `--directory=${folder}`])
  } finally {
    await rm(archive, { force: true })
  }
}

export async function npm(folder: string, ...words: readonly string[]): Promise<void> {
  await run('npm', words, { cwd: folder, maxBuffer: MAX_OUTPUT_BYTES })
}

async function resolveCommit(ref: string): Promise<{ commit: string; date: Date; tag: string | undefined }> {
  const git = async (...words: string[]) => (await run('git', words)).stdout.trim()
  const commit = await git('rev-parse', '--verify', `${ref}^{commit}`)
  const date = new Date(Number(await git('show', '--no-patch', '--format=%ct', commit)) * 1000)
  const isTag = (await git('tag', '--list', ref)) === ref
  return { commit, date, tag: isTag ? ref : undefined }
}
