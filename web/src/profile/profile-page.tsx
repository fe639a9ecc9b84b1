import { useQuery } from '@tanstack/react-query'
import { ApiCall } from '../design/api-snippets.tsx'
import { Loading, PageLayout } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import { text } from '../accounts/messages.ts'
import { AddressForm } from './address-form.tsx'
import { LanguageAndZone } from './language-and-zone.tsx'
import { NameForm } from './name-form.tsx'
import { PictureChoice } from './picture-choice.tsx'
import { PersonalData } from './personal-data.tsx'
import { SentInvitations } from './sent-invitations.tsx'
import { selfQuery } from './self-query.ts'

export function ProfilePage() {
  const { data: user, error, refetch } = useQuery(selfQuery)
  return (
    <PageLayout title={text('profile.title')} lead={text('profile.lead')}>
      {error && !user && <RefusalNotice error={error} onRetry={() => void refetch()} />}
      {!user && !error && <Loading />}
      {user && (
        <>
          <PictureChoice user={user} />
          <NameForm user={user} />
          <AddressForm user={user} />
          <LanguageAndZone user={user} />
          <SentInvitations />
          <PersonalData />
        </>
      )}
      <ApiCall path="/users/self" />
    </PageLayout>
  )
}
