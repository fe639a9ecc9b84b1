export type StyleProperty = `--${string}`

declare module 'react' {
  /** CSS variables that style sheets read. */
  interface CSSProperties {
    [property: StyleProperty]: string | number | undefined
  }
}
