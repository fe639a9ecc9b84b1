import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../design/button.tsx'
import { Icon } from '../design/icon.tsx'
import { text } from '../messages/text.ts'
import { useMayAdminister } from '../projects/use-may-administer.ts'
import { lazyPart } from '../design/lazy-part.tsx'

const NewRepositoryForm = lazyPart(async () => (await import('./new-repository-form.tsx')).NewRepositoryForm, {
  close: ({ onClose }) => onClose(),
})

/** The group of the administrators of repositories. */
const REPOSITORY_ADMINISTRATORS = ['19']

/** Shown only to those who may create a repository. */
export function NewRepositoryButton({ project }: { project: number }) {
  const mayCreate = useMayAdminister(project, REPOSITORY_ADMINISTRATORS)
  const [isOpen, setOpen] = useState(false)
  if (mayCreate !== true) return null
  return (
    <>
      <Button onPress={() => setOpen(true)}>
        <Icon of={Plus} size={14} />
        {text('repositories.new')}
      </Button>
      {isOpen && <NewRepositoryForm project={project} onClose={() => setOpen(false)} />}
    </>
  )
}
