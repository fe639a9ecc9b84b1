import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api.ts'
import { Button } from '../../design/button.tsx'
import { Dialog, DialogActions } from '../../design/dialog.tsx'
import { ChoiceGroup, ChoiceInput } from '../../design/field.tsx'
import { Loading } from '../../design/page.tsx'
import { RefusalNotice } from '../../design/refusal.tsx'
import { showRefusal } from '../../shell/show-refusal.ts'
import { showToast } from '../../design/toasts.ts'
import type { OpenArtifact } from '../artifact-queries.ts'
import { text } from '../messages.ts'
import { MigrationReport } from './migration-report.tsx'
import { type CopyChoice, copyPreviewQuery } from './moving-queries.ts'
import styles from './moving.module.css'
import { TargetTracker } from './target-tracker.tsx'

interface Props {
  readonly open: OpenArtifact
  readonly onClose: () => void
}

/** Creates a copy, in this or another tracker, and opens it. */
export function CopyArtifact({ open: { artifact, tracker }, onClose }: Props) {
  const { id, xref } = artifact
  const navigate = useNavigate()
  const [choice, setChoice] = useState<CopyChoice>({
    tracker: { id: tracker.id },
    links: 'none',
    files: true,
    comments: false,
  })
  const [isBusy, setBusy] = useState(false)
  const target = choice.tracker.id
  const { data: preview, error } = useQuery({
    ...copyPreviewQuery(id, choice),
    enabled: target !== 0,
    retry: false,
    placeholderData: keepPreviousData,
  })
  const copy = async () => {
    setBusy(true)
    const answer = await api.call('POST /artifacts/{id}/copy', { path: { id }, body: choice })
    setBusy(false)
    if (!answer.ok) return showRefusal(answer)
    onClose()
    await navigate({ to: '/artifacts/$artifact', params: { artifact: String(answer.body.id) } })
    showToast(text('moving.copied', { xref: answer.body.xref }))
  }
  return (
    <Dialog title={text('moving.copy_title', { xref })} onClose={onClose}>
      <div className={styles['form']}>
        <TargetTracker
          project={tracker.project}
          whose="all"
          value={target}
          onChange={(to) => setChoice({ ...choice, tracker: { id: to } })}
        />
        <ChoiceGroup label={text('moving.include')}>
          <ChoiceInput
            label={text('moving.files')}
            checked={choice.files}
            onChange={(event) => setChoice({ ...choice, files: event.target.checked })}
          />
          <ChoiceInput
            label={text('moving.links')}
            checked={choice.links === 'forward'}
            onChange={(event) => setChoice({ ...choice, links: event.target.checked ? 'forward' : 'none' })}
          />
          <ChoiceInput
            label={text('moving.comments')}
            checked={choice.comments}
            onChange={(event) => setChoice({ ...choice, comments: event.target.checked })}
          />
        </ChoiceGroup>
        {target !== 0 && !preview && !error && <Loading />}
        {target !== 0 && error && <RefusalNotice error={error} />}
        {target !== 0 && !error && preview && <MigrationReport preview={preview} />}
      </div>
      <DialogActions>
        <Button onPress={onClose}>{text('cancel')}</Button>
        <Button kind="primary" isDisabled={target === 0 || error !== null} isBusy={isBusy} onPress={() => void copy()}>
          {text('moving.copy')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
