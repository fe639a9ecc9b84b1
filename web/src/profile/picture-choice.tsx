import type { Answer } from '@waypost/sdk/answer'
import type { User } from '@waypost/sdk/api'
import { useRef, useState } from 'react'
import { text } from '../accounts/messages.ts'
import { api } from '../api.ts'
import { Button } from '../design/button.tsx'
import { Avatar, picturePath } from '../design/marks.tsx'
import { Panel } from '../design/page.tsx'
import { showRefusal } from '../shell/show-refusal.ts'
import { showToast } from '../design/toasts.ts'
import styles from './profile.module.css'
import { refreshAllQueries } from './self-query.ts'
import { shrinkPicture } from './shrink-picture.ts'

const SELF = { path: { id: 'self' } } as const

/** The picture of the signed-in person: upload, change, removal. */
export function PictureChoice({ user }: { readonly user: User }) {
  const [isBusy, setBusy] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const hasPicture = picturePath(user.avatar_url) !== undefined
  const send = async (sent: Promise<Answer<unknown>>, message: string) => {
    const answer = await sent
    if (answer.ok) showToast(message)
    else showRefusal(answer)
    await refreshAllQueries()
  }
  const upload = async (file: File | undefined) => {
    if (!file) return
    setBusy(true)
    const content = await shrinkPicture(file)
    if (content === undefined) showToast(text('picture.unreadable', { file: file.name }), { isTrouble: true })
    else await send(api.call('PUT /users/{id}/avatar', { ...SELF, body: { content } }), text('picture.saved'))
    setBusy(false)
  }
  const remove = () => send(api.call('DELETE /users/{id}/avatar', SELF), text('picture.removed'))
  return (
    <Panel title={text('picture.title')} lead={text('picture.lead')}>
      <div className={styles['picture']}>
        <Avatar person={{ ...user, name: user.real_name ?? user.username ?? '' }} size={64} />
        <input
          ref={input}
          type="file"
          accept="image/*"
          hidden
          onChange={({ target }) => {
            void upload(target.files?.[0])
            target.value = ''
          }}
        />
        <Button isBusy={isBusy} onPress={() => input.current?.click()}>
          {text(hasPicture ? 'picture.change' : 'picture.upload')}
        </Button>
        {hasPicture && (
          <Button kind="danger" onPress={() => void remove()}>
            {text('picture.remove')}
          </Button>
        )}
      </div>
    </Panel>
  )
}
