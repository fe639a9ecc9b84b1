import type { Locator } from 'playwright-core'

/** More than the tab stops of any screen. */
const FURTHEST = 120

/** This control, if it has the focus. */
export function inFocus(control: Locator): Locator {
  return control.and(control.page().locator(':focus'))
}

/** Moves the focus by Tab until it reaches the control; the number of presses. */
export async function tabTo(control: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<number> {
  const { keyboard } = control.page()
  const reached = inFocus(control)
  let steps = 0
  for (; steps < FURTHEST && (await reached.count()) === 0; steps++) await keyboard.press(key)
  if ((await reached.count()) === 0) throw new Error(`${key} does not lead to ${String(control)}.`)
  return steps
}
