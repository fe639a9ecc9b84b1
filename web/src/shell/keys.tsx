import styles from './keys.module.css'

/** Renders `Ctrl K` or `g h` as keys. */
export function Keys({ keys }: { keys: string }) {
  const isMac = navigator.platform.startsWith('Mac')
  return (
    <span className={styles['keys']}>
      {keys.split(' ').map((key) => (
        <kbd key={key}>{key === 'Ctrl' && isMac ? '⌘' : key}</kbd>
      ))}
    </span>
  )
}
