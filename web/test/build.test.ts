import { globSync, readFileSync, statSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const DIST = 'web/dist'
const BUDGET = 150_000

interface Chunk {
  file: string
  imports?: string[]
}

/** The scripts needed for the first render of a screen: the entry, the screen, and their imports. */
function scriptsOf(screen: string): string[] {
  const manifest: Record<string, Chunk> = JSON.parse(readFileSync(`${DIST}/.vite/manifest.json`, 'utf8'))
  const needed = new Set<string>()
  const add = (name: string) => {
    const chunk = manifest[name]
    if (!chunk) throw new Error(`The build has no ${name}.`)
    if (needed.has(chunk.file)) return
    needed.add(chunk.file)
    for (const each of chunk.imports ?? []) add(each)
  }
  add('index.html')
  add(screen)
  return [...needed]
}

describe('the built pages', () => {
  test.each(['src/accounts/sign-in-page.tsx', 'src/home/home-page.tsx', 'src/accounts/access-keys-page.tsx'])(
    'send at most 150 kB of compressed JavaScript for the first screen, %s',
    (screen) => {
      const sizes = scriptsOf(screen).map((file) => statSync(`${DIST}/${file}.br`).size)
      const total = sizes.reduce((sum, size) => sum + size, 0)

      expect(sizes.length).toBeGreaterThan(2)
      expect(total).toBeGreaterThan(10_000)
      expect(total).toBeLessThanOrEqual(BUDGET)
    },
  )

  test('have no inline script or style, and no resources of other hosts', () => {
    const page = readFileSync(`${DIST}/index.html`, 'utf8')

    expect(page).not.toMatch(/<script>|<style|style=|\son\w+=|https?:/)
  })
})

test('take every visible text from the catalogue', () => {
  const files = globSync('web/src/**/*.tsx')
  const texts = files.flatMap((file) => {
    const source = readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '')
    const between = [...source.matchAll(/>\s*([A-Z][a-z]+[^<>{}()=;]*)<\//g)].map(([, found]) => found)
    const named = [...source.matchAll(/\b(?:aria-label|title|label|placeholder|alt|hint)="([^"]+)"/g)].map(
      ([, found]) => found,
    )
    return [...between, ...named].map((found) => `${file}: ${found}`)
  })

  expect(files.length).toBeGreaterThan(20)
  expect(texts).toEqual([])
})
