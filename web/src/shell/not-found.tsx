import { Door } from '../accounts/door.tsx'
import { buttonClass } from '../design/button.tsx'
import { Page } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import { text } from '../words/text.ts'

/** For whoever comes by a wrong address, signed in or not. */
export function NotFound() {
  return (
    <Door title={text('not_found.title')}>
      <p>{text('not_found.lead')}</p>
      <a className={buttonClass()} href="/">
        {text('nav.home')}
      </a>
    </Door>
  )
}

/** Whatever a screen did not expect. */
export function Trouble({ error }: { error: unknown }) {
  return (
    <main>
      <Page title={text('trouble.title')}>
        <RefusalNotice error={error} onRetry={() => location.reload()} />
      </Page>
    </main>
  )
}
