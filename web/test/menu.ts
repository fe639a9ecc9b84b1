import type { Page } from 'playwright-core'

/** Chooses a value in the menu of a button by mouse, by the label of the button. */
export async function chooseInMenu(page: Page, label: string, value: string): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`^${label} `) }).click()
  await page.getByRole('option', { name: value, exact: true }).click()
}
