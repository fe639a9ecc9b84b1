import { AuthLayout } from '../accounts/auth-layout.tsx'
import { buttonClass } from '../design/button.tsx'
import { PageLayout } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import { text } from '../messages/text.ts'

/** The page for unknown addresses, with or without a session. */
export function NotFound() {
  return (
    <AuthLayout title={text('not_found.title')}>
      <p>{text('not_found.lead')}</p>
      <a className={buttonClass()} href="/">
        {text('nav.home')}
      </a>
    </AuthLayout>
  )
}

/** A screen that could not be loaded or shown. The sidebar stays. */
export function ScreenError({ error }: { error: unknown }) {
  return (
    <PageLayout title={text('trouble.title')}>
      <RefusalNotice error={error} onRetry={() => location.reload()} />
    </PageLayout>
  )
}

/** The page for unexpected errors. */
export function UnexpectedError({ error }: { error: unknown }) {
  return (
    <main>
      <ScreenError error={error} />
    </main>
  )
}
