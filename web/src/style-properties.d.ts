export type StyleProperty = `--${string}`

declare module 'react' {
  /** Properties that style sheets read. */
  interface CSSProperties {
    [property: StyleProperty]: string | number | undefined
  }
}
