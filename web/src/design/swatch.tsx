import styles from './swatch.module.css'

const OWN = /^#[0-9a-f]{6}$/i

/** The colour of a tracker or a list value; never the only distinction. */
export function Swatch({ color }: { color: string | null | undefined }) {
  if (color === null || color === undefined || color === '') return null
  return (
    <span
      aria-hidden
      className={styles['swatch']}
      data-color={OWN.test(color) ? undefined : color}
      style={OWN.test(color) ? { background: color } : undefined}
    />
  )
}
