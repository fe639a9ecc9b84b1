import { useSession } from '../accounts/session.ts'
import { ApiCall } from '../design/api-snippets.tsx'
import { PageLayout } from '../design/page.tsx'
import { locale } from '../messages/language.ts'
import { text } from '../my-work/messages.ts'
import { lazyPart } from '../design/lazy-part.tsx'
import { JumpCards } from './jump-cards.tsx'
import styles from './home-page.module.css'

const WorkPanel = lazyPart(async () => (await import('../my-work/work-panel.tsx')).WorkPanel)
const Start = lazyPart(async () => (await import('./start.tsx')).Start)
const Inbox = lazyPart(async () => (await import('../notifications/inbox.tsx')).Inbox)

const MAX_HOME_ROWS = 14
const MAX_HOME_THREADS = 5

const NOON = 12
const EVENING = 18

/** The home page: what to do, and what has happened. */
export function HomePage() {
  const { data: session } = useSession()
  const { real_name, username } = session?.user ?? {}
  const name = real_name?.split(' ').at(0) ?? username ?? ''
  const now = new Date()
  const hour = now.getHours()
  const greeting = hour < NOON ? 'home.morning' : hour < EVENING ? 'home.afternoon' : 'home.evening'
  const today = new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long' }).format(now)
  return (
    <PageLayout title={text(greeting, { name })} date={today}>
      <Start />
      <JumpCards />
      <div className={styles['columns']}>
        <WorkPanel title={text('nav.work')} scope="assigned" limit={MAX_HOME_ROWS} />
        <Inbox limit={MAX_HOME_THREADS} />
      </div>
      <ApiCall path="/notifications/threads" />
    </PageLayout>
  )
}
