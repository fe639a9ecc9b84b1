import type { Page } from 'playwright-core'
import { sayEnglish } from './say.ts'

/** Chooses a value in the menu of a button by mouse, by the label of the button. */
export async function chooseInMenu(page: Page, label: string, value: string): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`^${label} `) }).click()
  await page.getByRole('option', { name: value, exact: true }).click()
}

/** Presses a rare action of the page of an artifact, which is in the menu behind three dots. */
export async function pressArtifactAction(page: Page, name: string, say = sayEnglish): Promise<void> {
  await page.getByRole('button', { name: say('More actions') }).click()
  await page.getByRole('button', { name: say(name), exact: true }).click()
}
