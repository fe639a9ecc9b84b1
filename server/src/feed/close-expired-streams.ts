import { type StreamSession, revalidateCredentials } from '../accounts/sign-in/revalidate-credentials.ts'
import type { EventStream } from '../platform/http/event-stream.ts'
import type { Context } from '../platform/operation/context.ts'

/** Ends streams whose credentials have expired; calls `onSessionChanged` where the viewer's rights have changed. */
export async function closeExpiredStreams<
  Follower extends { readonly stream: EventStream; readonly guest: StreamSession },
>(
  context: Context,
  followers: readonly Follower[],
  onSessionChanged: (follower: Follower, guest: StreamSession) => void,
): Promise<void> {
  if (followers.length === 0) return
  const sessions = await revalidateCredentials(
    context,
    followers.map(({ guest }) => guest),
  )
  for (const [index, follower] of followers.entries()) {
    const guest = sessions[index]
    if (!guest) follower.stream.end('credentials_expired')
    else if (hasSessionChanged(guest, follower.guest)) onSessionChanged(follower, guest)
  }
}

function hasSessionChanged(one: StreamSession, other: StreamSession): boolean {
  return (
    one.password !== other.password ||
    one.viewer.is_site_admin !== other.viewer.is_site_admin ||
    one.viewer.is_restricted !== other.viewer.is_restricted
  )
}
