import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Button } from '../design/button.tsx'
import styles from './clamp.module.css'
import { text } from './messages.ts'

/** Shows the first lines of a long text, so that the discussion below stays near. */
export function Clamp({ children }: { readonly children: ReactNode }) {
  const id = useId()
  const content = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    const element = content.current
    if (!element) return undefined
    // Pictures and a narrower window make it longer.
    const observer = new ResizeObserver(() => setLong(element.scrollHeight > collapsedHeight(element) + 1))
    observer.observe(element)
    for (const child of element.children) observer.observe(child)
    return () => observer.disconnect()
  }, [children])
  return (
    <>
      <div id={id} ref={content} className={styles['clamp']} data-open={isOpen} data-long={isLong}>
        {children}
      </div>
      {isLong && (
        <Button kind="quiet" aria-expanded={isOpen} aria-controls={id} onPress={() => setOpen(!isOpen)}>
          {text(isOpen ? 'artifact.read_less' : 'artifact.read_more')}
        </Button>
      )}
    </>
  )
}

/** In pixels, from the style sheet; also while it is open. */
function collapsedHeight(element: HTMLElement): number {
  return Number.parseFloat(getComputedStyle(element).getPropertyValue('--lines')) * lineHeight(element)
}

function lineHeight(element: HTMLElement): number {
  return Number.parseFloat(getComputedStyle(element).lineHeight)
}
