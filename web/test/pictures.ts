import { mkdir, writeFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import sharp from 'sharp'

/** Saves a screenshot to the folder from the environment, with few colours to keep it small. */
export async function takePicture(page: Page, name: string, theme: string, width: number): Promise<void> {
  const folder = process.env['WAYPOST_SCREENSHOTS']
  if (folder === undefined) return
  await mkdir(folder, { recursive: true })
  await page.locator('[class*=skeleton]').first().waitFor({ state: 'detached' }) // Wait until everything has loaded.
  const bytes = await page.screenshot({ animations: 'disabled' })
  const small = await sharp(bytes).png({ palette: true, colours: 48 }).toBuffer()
  await writeFile(`${folder}/${name}-${theme}-${width}.png`, small)
}
