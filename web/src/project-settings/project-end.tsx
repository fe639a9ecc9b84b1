import { useState } from 'react'
import { Button } from '../design/button.tsx'
import { Panel } from '../design/page.tsx'
import { text } from '../projects/messages.ts'
import { showRefusal } from '../shell/show-refusal.ts'
import { DeleteProject } from './delete-project.tsx'
import styles from './project-settings.module.css'
import { saveProject, useSettingsProject } from './use-settings-project.ts'

/** Archive, which keeps a project readable, and deletion. */
export function ProjectEnd() {
  const { status, label_without_icon: project } = useSettingsProject()
  const [isAsked, setAsked] = useState(false)
  return (
    <Panel title={text('project_end.title')}>
      {status === 'active' && (
        <div className={styles['step']}>
          <div>
            <strong>{text('archive.title')}</strong>
            <p>{text('archive.lead')}</p>
          </div>
          <ArchiveButton />
        </div>
      )}
      <div className={styles['step']}>
        <div>
          <strong>{text('delete_project.title')}</strong>
          <p>{text('delete_project.lead')}</p>
        </div>
        <Button kind="danger" aria-label={text('delete_project.what', { project })} onPress={() => setAsked(true)}>
          {text('delete_project.ask')}
        </Button>
      </div>
      {isAsked && <DeleteProject onClose={() => setAsked(false)} />}
    </Panel>
  )
}

export function ArchivedNotice() {
  return (
    <div className={styles['notice']} role="note">
      <p>{text('archive.is_archived')}</p>
      <ArchiveButton />
    </div>
  )
}

/** Archives a project, or makes an archived one active. */
function ArchiveButton() {
  const project = useSettingsProject()
  const status = project.status === 'archived' ? 'active' : 'archived'
  const change = async () => {
    const refused = await saveProject(project, { status }, () => undefined)
    if (refused) showRefusal(refused)
  }
  return <Button onPress={() => void change()}>{text(status === 'archived' ? 'archive.do' : 'archive.undo')}</Button>
}
