import { Link, Outlet } from '@tanstack/react-router'
import { useSession } from '../accounts/session.ts'
import { buttonClass } from '../design/button.tsx'
import { PageLayout } from '../design/page.tsx'
import styles from '../design/tabs.module.css'
import { text } from './messages.ts'
import own from './administration.module.css'

/** The screens for site administrators. Others get a notice, and no administrator request is sent for them. */
export function Administration() {
  const { data: session } = useSession()
  if (session === undefined) return null
  if (session?.user.is_site_admin !== true)
    return (
      <PageLayout title={text('administration.denied')} lead={text('administration.denied.lead')}>
        <div>
          <Link to="/" className={buttonClass()}>
            {text('nav.home')}
          </Link>
        </div>
      </PageLayout>
    )
  return (
    <>
      <div className={styles['bar']}>
        <p className={own['where']}>{text('administration')}</p>
        <nav className={styles['tabs']} aria-label={text('administration')}>
          <Link to="/administration" activeOptions={{ exact: true }}>
            {text('health.title')}
          </Link>
          <Link to="/administration/users">{text('users.title')}</Link>
          <Link to="/administration/projects">{text('nav.projects')}</Link>
          <Link to="/administration/link-types">{text('link_types')}</Link>
          <Link to="/administration/sign-in">{text('identity.title')}</Link>
          <Link to="/administration/directories">{text('directory.title')}</Link>
          <Link to="/administration/jobs">{text('jobs.title')}</Link>
          <Link to="/administration/trash">{text('trash.title')}</Link>
          <Link to="/administration/archives">{text('archives.title')}</Link>
          <Link to="/administration/audit">{text('audit.title')}</Link>
          <Link to="/administration/settings">{text('settings.title')}</Link>
        </nav>
      </div>
      <Outlet />
    </>
  )
}
