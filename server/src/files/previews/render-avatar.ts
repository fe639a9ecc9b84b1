import { Readable } from 'node:stream'
import type { RenderAvatar } from '../../accounts/avatars/set-avatar.ts'
import type { Context } from '../../platform/operation/context.ts'
import { sniffType } from '../sniff.ts'
import { renderInSubprocess } from './render-in-subprocess.ts'

const READABLE_TYPES: readonly string[] = ['image/png', 'image/jpeg', 'image/gif']

/** Draws avatars with the limits of previews. Other files are refused without a subprocess. */
export function createAvatarRenderer({ semaphore }: Context['previewRenderings']): RenderAvatar {
  return async (picture) =>
    READABLE_TYPES.includes(sniffType(picture))
      ? semaphore(() => renderInSubprocess(Readable.from([picture]), 'avatar'))
      : 'unreadable'
}
