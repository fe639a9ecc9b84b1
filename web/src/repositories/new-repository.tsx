import { queryOptions, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useSession } from '../accounts/session.ts'
import { api, read } from '../api.ts'
import { Button } from '../design/button.tsx'
import { text } from '../messages/text.ts'

const NewRepositoryForm = lazy(async () => ({
  default: (await import('./new-repository-form.tsx')).NewRepositoryForm,
}))

/** The group ids of administrators of the project and of its repositories. */
const ADMINISTRATORS = ['4', '19']

const groupsOfMineQuery = queryOptions({
  queryKey: ['users', 'self', 'membership'],
  staleTime: 60_000,
  queryFn: () =>
    read(api.call('GET /users/{id}/membership', { path: { id: 'self' }, query: { scope: 'project', format: 'id' } })),
})

/** Shown only to those who may create a repository. */
export function NewRepositoryButton({ project }: { project: number }) {
  const { data: session } = useSession()
  const { data: groups = [] } = useQuery({ ...groupsOfMineQuery, enabled: Boolean(session) })
  const [isOpen, setOpen] = useState(false)
  const isAdministrator = ADMINISTRATORS.some((group) => groups.includes(`${project}_${group}`))
  if (!isAdministrator && session?.user.is_site_admin !== true) return null
  return (
    <>
      <Button aria-label={text('repositories.new')} onPress={() => setOpen(true)}>
        {text('repositories.new.short')}
      </Button>
      <Suspense>{isOpen && <NewRepositoryForm project={project} onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
}
