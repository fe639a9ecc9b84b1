import { useSession } from '../accounts/session.ts'
import { ApiCall } from '../design/api-snippets.tsx'
import { PageLayout } from '../design/page.tsx'
import { locale } from '../messages/language.ts'
import { text } from '../messages/text.ts'
import { Inbox } from '../notifications/inbox.tsx'
import { lazyPart } from '../shell/lazy-part.tsx'
import { Assigned } from './assigned.tsx'
import { JumpCards } from './jump-cards.tsx'
import styles from './home-page.module.css'

const Start = lazyPart(async () => (await import('./start.tsx')).Start)

/** The home page: open tasks of the viewer and recent activity. */
export function HomePage() {
  const { data: session } = useSession()
  const name = session?.user.real_name?.split(' ').at(0) ?? ''
  const today = new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long' }).format(new Date())
  return (
    <PageLayout title={text('home.title', { name })} date={today} isBroad>
      <Start />
      <JumpCards />
      <div className={styles['columns']}>
        <Assigned />
        <Inbox />
      </div>
      <ApiCall path="/notifications" />
    </PageLayout>
  )
}
