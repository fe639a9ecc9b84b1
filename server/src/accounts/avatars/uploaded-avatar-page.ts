import { ApiError } from '../../platform/messages/errors.ts'
import type { WebPage } from '../../platform/http/web-page.ts'
import { fold } from '../login.ts'

const MONTH_SECONDS = 2_592_000

/**
 * The target of `avatar_url` of accounts with a picture. Viewers who are shown a person are given its random key; so the
 * picture is as visible as the name, without a second check.
 */
export const uploadedAvatarPage: WebPage = {
  path: '/users/:login/avatars/:key',
  async open({ context, params }) {
    const found = await context.db
      .selectFrom('avatar')
      .innerJoin('account', 'account.id', 'avatar.account_id')
      .select('avatar.content')
      .where('account.login', '=', fold(params['login'] ?? ''))
      .where('account.avatar_key', '=', params['key'] ?? '')
      .where('account.erased_on', 'is', null)
      .executeTakeFirst()
    if (!found) throw new ApiError('not_found')
    return {
      type: 'image/webp',
      content: found.content,
      headers: {
        'cache-control': `private, max-age=${MONTH_SECONDS}, immutable`,
        'cross-origin-resource-policy': 'cross-origin',
      },
    }
  },
}
