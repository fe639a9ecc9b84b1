import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api.ts'
import { Button } from '../../design/button.tsx'
import { Dialog, DialogActions } from '../../design/dialog.tsx'
import { Loading } from '../../design/page.tsx'
import { RefusalNotice } from '../../design/refusal.tsx'
import { showRefusal } from '../../shell/show-refusal.ts'
import { showToast } from '../../design/toasts.ts'
import { invalidateArtifact, type OpenArtifact } from '../artifact-queries.ts'
import { text } from '../messages.ts'
import { MigrationReport } from './migration-report.tsx'
import { movePreviewQuery } from './moving-queries.ts'
import styles from './moving.module.css'
import { TargetTracker } from './target-tracker.tsx'

interface Props {
  readonly open: OpenArtifact
  readonly onClose: () => void
}

/** Moves the artifact to another tracker, after what is lost has been shown. */
export function MoveArtifact({ open: { artifact, tracker, etag }, onClose }: Props) {
  const { id, xref } = artifact
  const [target, setTarget] = useState(0)
  const [isBusy, setBusy] = useState(false)
  const { data: preview, error } = useQuery({ ...movePreviewQuery(id, target), enabled: target !== 0, retry: false })
  const move = async () => {
    setBusy(true)
    const body = { move: { tracker_id: target } }
    const answer = await api.call('PATCH /artifacts/{id}', { path: { id }, body, ...(etag && { ifMatch: etag }) })
    setBusy(false)
    if (!answer.ok) return showRefusal(answer)
    onClose()
    await invalidateArtifact(id)
    showToast(text('moving.moved', { xref }))
  }
  return (
    <Dialog title={text('moving.move_title', { xref })} onClose={onClose}>
      <div className={styles['form']}>
        <TargetTracker
          project={tracker.project}
          whose="administered"
          except={tracker.id}
          value={target}
          onChange={setTarget}
        />
        {target !== 0 && !preview && !error && <Loading />}
        {target !== 0 && error && <RefusalNotice error={error} />}
        {target !== 0 && preview && <MigrationReport preview={preview} />}
      </div>
      <DialogActions>
        <Button onPress={onClose}>{text('cancel')}</Button>
        <Button kind="primary" isDisabled={target === 0 || !preview} isBusy={isBusy} onPress={() => void move()}>
          {text('moving.move')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
