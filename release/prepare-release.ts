import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const MANIFESTS = ['package.json', 'package-lock.json', 'server/package.json', 'sdk/package.json', 'web/package.json']

/**
 * Changes a tree for the commit of a release: the section "Unreleased" of the changelog gets version and date, and all
 * manifests get the version. Nothing is committed or tagged.
 */
export async function prepareRelease(root: string, version: string, date: string): Promise<void> {
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error(`${version} is not a version such as 0.2.0.`)
  const { version: old } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const changelog = join(root, 'CHANGELOG.md')
  await writeFile(changelog, dateSection(await readFile(changelog, 'utf8'), version, date))
  for (const file of MANIFESTS) {
    const text = await readFile(join(root, file), 'utf8')
    await writeFile(join(root, file), replaceVersions(text, old, version))
  }
}

/** Keeps an empty section for what comes next. */
export function dateSection(changelog: string, version: string, date: string): string {
  const [before, section, ...others] = changelog.split('## Unreleased\n')
  if (section === undefined || others.length > 0) throw new Error('The changelog has no section "Unreleased".')
  const own = section.split(/^## /m)[0] ?? ''
  if (own.trim() === '') throw new Error('The section "Unreleased" of the changelog is empty.')
  if (changelog.includes(`\n## ${version} `)) throw new Error(`The changelog has a section for ${version} already.`)
  return `${before}## Unreleased\n\n## ${version} (${date})\n${section}`
}

/** The versions of our own packages, and of their dependencies on each other; other packages may have the same number. */
export function replaceVersions(manifest: string, old: string, version: string): string {
  const own = /("name": "(?:waypost|@waypost\/\w+)",\s+"version": |"@waypost\/\w+": )"([\d.]+)"/g
  return manifest.replaceAll(own, (text, before: string, found: string) =>
    found === old ? `${before}"${version}"` : text,
  )
}
