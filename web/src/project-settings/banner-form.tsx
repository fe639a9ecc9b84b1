import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api } from '../api.ts'
import { Button } from '../design/button.tsx'
import { LongTextField } from '../design/field.tsx'
import { Loading, Panel } from '../design/page.tsx'
import { bannerQuery } from '../projects/banner-query.ts'
import { text } from '../projects/messages.ts'
import { queryClient } from '../query-client.ts'
import { showRefusal } from '../shell/show-refusal.ts'
import { showToast } from '../design/toasts.ts'
import styles from './project-settings.module.css'

/** The message at the top of the page of the project. */
export function BannerForm({ project }: { readonly project: number }) {
  const { data: message } = useQuery(bannerQuery(project))
  return (
    <Panel title={text('banner.title')} lead={text('banner.lead')}>
      {message === undefined ? <Loading /> : <MessageForm key={message} project={project} message={message ?? ''} />}
    </Panel>
  )
}

function MessageForm({ project, message }: { readonly project: number; readonly message: string }) {
  const [typed, setTyped] = useState(message)
  return (
    <form
      className={styles['form']}
      onSubmit={(event: FormEvent<HTMLFormElement>) => {
        event.preventDefault()
        void saveBanner(project, message, typed.trim())
      }}
    >
      <LongTextField
        label={text('banner.message')}
        name="message"
        value={typed}
        maxLength={5000}
        onChange={({ target }) => setTyped(target.value)}
      />
      <div className={styles['buttons']}>
        <Button type="submit">{text('banner.save')}</Button>
        {message !== '' && (
          <Button onPress={() => void saveBanner(project, message, '')}>{text('banner.remove')}</Button>
        )}
      </div>
    </form>
  )
}

/** An empty message removes the banner. */
async function saveBanner(project: number, before: string, message: string, isUndo = false): Promise<void> {
  const path = { id: project }
  const answer =
    message === ''
      ? await api.call('DELETE /projects/{id}/banner', { path })
      : await api.call('PUT /projects/{id}/banner', { path, body: { message } })
  if (!answer.ok) return showRefusal(answer)
  showToast(text('saved'), isUndo ? {} : { undo: () => void saveBanner(project, message, before, true) })
  await queryClient.invalidateQueries({ queryKey: ['projects', project] })
}
