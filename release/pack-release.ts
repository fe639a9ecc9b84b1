import { execFile } from 'node:child_process'
import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'

const run = promisify(execFile)
export const CHECKSUMS = 'SHA256SUMS'

/** Packs a folder so that the same content gives the same bytes: sorted, owned by root, with one time and no umask. */
export async function packFolder(folder: string, file: string, date: Date): Promise<void> {
  const archive = `${file}.tar`
  const fixed = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX', '--format=gnu']
  const time = `--mtime=@${Math.floor(date.getTime() / 1000)}`
  await run('tar', [
    '--create',
    `--file=${archive}`,
    ...fixed,
    time,
    `--directory=${dirname(folder)}`,
    basename(folder),
  ])
  // Unlike the program of the same name, it writes neither name nor time.
  const packed = await promisify(gzip)(await readFile(archive), { level: constants.Z_BEST_COMPRESSION })
  await writeFile(file, packed)
  await rm(archive)
}

/** Writes the checksums of these files of a folder, as `sha256sum --check` reads them. */
export async function writeChecksums(folder: string, files: readonly string[]): Promise<void> {
  const lines = await Promise.all(
    files.toSorted().map(async (file) => {
      const digest = createHash('sha256').update(await readFile(join(folder, file)))
      return `${digest.digest('hex')}  ${file}\n`
    }),
  )
  await writeFile(join(folder, CHECKSUMS), lines.join(''))
}

/** Signs the checksums by an Ed25519 key in PEM, and writes the public key beside them, for comparison. */
export async function signChecksums(folder: string, keyFile: string): Promise<void> {
  const key = createPrivateKey(await readFile(keyFile))
  if (key.asymmetricKeyType !== 'ed25519') throw new Error(`${keyFile} is no Ed25519 key.`)
  const signature = sign(null, await readFile(join(folder, CHECKSUMS)), key)
  await writeFile(join(folder, `${CHECKSUMS}.sig`), signature)
  await writeFile(join(folder, 'waypost.pub'), createPublicKey(key).export({ type: 'spki', format: 'pem' }))
}
