import { type Guest, stillSignedIn } from '../accounts/sign-in/still-signed-in.ts'
import type { EventStream } from '../platform/http/event-stream.ts'
import type { Context } from '../platform/operation/context.ts'

/** Ends the streams of those whose credentials have ended; `become`: for those who are somebody else now. */
export async function turnOut<Follower extends { readonly stream: EventStream; readonly guest: Guest }>(
  context: Context,
  followers: readonly Follower[],
  become: (follower: Follower, guest: Guest) => void,
): Promise<void> {
  if (followers.length === 0) return
  const standing = await stillSignedIn(
    context,
    followers.map(({ guest }) => guest),
  )
  for (const [index, follower] of followers.entries()) {
    const guest = standing[index]
    if (!guest) follower.stream.end('credentials_expired')
    else if (isOther(guest, follower.guest)) become(follower, guest)
  }
}

function isOther(one: Guest, other: Guest): boolean {
  return (
    one.password !== other.password ||
    one.viewer.is_site_admin !== other.viewer.is_site_admin ||
    one.viewer.is_restricted !== other.viewer.is_restricted
  )
}
