import { Link, Outlet } from '@tanstack/react-router'
import styles from '../design/tabs.module.css'
import { text } from '../messages/text.ts'

/** The screens of the signed-in account. */
export function Preferences() {
  return (
    <>
      <div className={styles['bar']}>
        <nav className={styles['tabs']} aria-label={text('nav.preferences')}>
          <Link to="/account/profile">{text('profile.title')}</Link>
          <Link to="/account/keys-tokens">{text('keys.title')}</Link>
          <Link to="/account/security">{text('security.title')}</Link>
          <Link to="/account/notifications">{text('notices.title')}</Link>
          <Link to="/account/appearance">{text('appearance.title')}</Link>
        </nav>
      </div>
      <Outlet />
    </>
  )
}
