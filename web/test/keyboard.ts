import type { Locator } from 'playwright-core'

/** More controls than any screen has before the last one. */
const FURTHEST = 120

/** This control, if it has the keyboard. */
export function inFocus(control: Locator): Locator {
  return control.and(control.page().locator(':focus'))
}

/** From control to control, as those do who have no mouse. */
export async function tabTo(control: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  const { keyboard } = control.page()
  const reached = inFocus(control)
  for (let steps = 0; steps < FURTHEST && (await reached.count()) === 0; steps++) await keyboard.press(key)
  if ((await reached.count()) === 0) throw new Error(`${key} does not lead to ${String(control)}.`)
}
