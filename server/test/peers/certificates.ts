import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

interface TestAuthority {
  /** The certificate as PEM. */
  readonly certificate: string
  /** Writes `<file>.pem` and `<file>.key` for a server with these alternative names: `IP:127.0.0.1`. */
  issue(file: string, names: string): Promise<void>
}

/** A certificate authority of its own in a folder. */
export async function createAuthority(folder: string, name: string): Promise<TestAuthority> {
  const [key, certificate] = [join(folder, `${name}.key`), join(folder, `${name}.pem`)]
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  const subject = ['-subj', `/CN=${name}`]
  await run('openssl', ['req', '-x509', ...newKey, '-days', '2', ...subject, '-keyout', key, '-out', certificate])
  return {
    certificate: await readFile(certificate, 'utf8'),
    async issue(file, names) {
      const request = ['-CA', certificate, '-CAkey', key, '-addext', `subjectAltName=${names}`]
      const files = ['-keyout', join(folder, `${file}.key`), '-out', join(folder, `${file}.pem`)]
      await run('openssl', ['req', '-x509', ...newKey, '-days', '2', '-subj', `/CN=${file}`, ...request, ...files])
    },
  }
}
