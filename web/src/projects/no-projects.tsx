import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { FolderPlus } from 'lucide-react'
import { useSession } from '../accounts/session.ts'
import { buttonClass } from '../design/button.tsx'
import { Empty, Panel } from '../design/page.tsx'
import { text } from './messages.ts'
import { useProjectCreation } from './project-creation.ts'
import { myProjectsQuery } from './projects-queries.ts'

/** The next step for a viewer without projects: create one, or the people to ask. */
export function NoProjects() {
  const { data: session } = useSession()
  const creation = useProjectCreation()
  if (creation === undefined) return null
  if (!session) return <Empty icon={FolderPlus}>{text('projects.none.anonymous')}</Empty>
  if (creation === 'denied') return <Empty icon={FolderPlus}>{whomToAsk(session.settings.contact_email)}</Empty>
  return (
    <Empty icon={FolderPlus} action={<NewProjectLink kind="primary" />}>
      {text('projects.none.create')}
    </Empty>
  )
}

/** Shown on the home page until the viewer is a member of a project. */
export function NoProjectsPanel() {
  const { data: mine } = useQuery(myProjectsQuery)
  if (mine?.length !== 0) return null
  return (
    <Panel title={text('projects.none.title')} isList>
      <NoProjects />
    </Panel>
  )
}

/** Shown only to those who may create a project. */
export function NewProjectLink({ kind = 'plain' }: { readonly kind?: 'plain' | 'primary' }) {
  const creation = useProjectCreation()
  if (creation === undefined || creation === 'denied') return null
  return (
    <Link to="/projects/new" className={buttonClass(kind)}>
      {text('projects.new')}
    </Link>
  )
}

export function whomToAsk(email: string): string {
  return email === '' ? text('projects.none.ask') : text('projects.none.contact', { email })
}
