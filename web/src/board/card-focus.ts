import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

/** Keeps the focus on a card that is rendered in another cell; from a collapsed column it goes to a shown card. */
export function useCardFocusRestoration(board: RefObject<HTMLElement | null>) {
  const focused = useRef<number>(undefined)
  const restore = () => {
    if (focused.current === undefined || document.activeElement !== document.body) return
    focusLink(linkOf(board.current, focused.current) ?? board.current?.querySelector('[data-card] a[tabindex="0"]'))
  }
  useLayoutEffect(restore)
  // A closing dialog makes the board accessible again after layout effects.
  useEffect(restore)
  return focused
}

export function focusCard(board: HTMLElement | null, card: number | undefined): void {
  if (card !== undefined) focusLink(linkOf(board, card))
}

export function revealCard(board: HTMLElement | null, card: number): void {
  board?.querySelector(`[data-card="${card}"]`)?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}

function linkOf(board: HTMLElement | null, card: number): HTMLElement | null | undefined {
  return board?.querySelector<HTMLElement>(`[data-card="${card}"] a`)
}

function focusLink(link: HTMLElement | null | undefined): void {
  link?.focus()
  link?.closest('li')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}

export function revealColumn(board: HTMLElement | null, column: number): void {
  board?.querySelector(`[data-head="${column}"]`)?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}

export function cardOf(target: EventTarget): number | undefined {
  const card = target instanceof Element ? target.closest('[data-card]') : null
  return card ? Number(card.getAttribute('data-card')) : undefined
}

export function isMoveButton(target: EventTarget): boolean {
  return target instanceof Element && target.closest('[data-move]') !== null
}

export function isLink(target: EventTarget): boolean {
  return target instanceof Element && target.closest('a') !== null
}
