import { randomBytes } from 'node:crypto'
import { Type } from 'typebox'
import { writeRoute } from '../../platform/http/route.ts'
import { sha256 } from '../../platform/operation/secrets.ts'
import { toViewer } from '../account.ts'
import { requireHashable } from '../passwords/password-rules.ts'
import { requirePasswordsAllowed } from '../sign-in/passwords-allowed.ts'
import { type PasswordRow, requireUsableAccount, verifyPassword } from '../sign-in/sign-in-by-password.ts'
import { TOKENS_DISCOURAGED } from '../sign-in/sign-in-by-token.ts'

export const createToken = writeRoute({
  method: 'POST',
  path: '/tokens',
  operationId: 'createToken',
  summary: 'Sign in for 24 hours. Access keys are the better way.',
  description:
    'Exchanges login and password for a token of 24 hours, sent in `X-Auth-Token` with `X-Auth-UserId`. Everyone with a valid password, where `password_sign_in` is `everywhere`. Wrong passwords are 401 and are delayed.',
  access: 'no_credentials',
  action: 'token.create',
  deprecated: TOKENS_DISCOURAGED,
  body: Type.Object({ username: Type.String({ maxLength: 255 }), password: Type.String() }, { title: 'SignIn' }),
  bodyRules: { isSniffed: true },
  answer: Type.Object({ user_id: Type.String(), token: Type.String(), uri: Type.String() }, { title: 'Token' }),
  secret: true,
  dryRun: { omits: ['token', 'uri'] },
  async prepare({ context, body: { username: login, password }, origin: { address, request_id } }) {
    requireHashable(password)
    await requirePasswordsAllowed(context, 'elsewhere')
    const attempt = { login, address: address ?? '', request_id }
    const row = await verifyPassword(context, attempt, password)
    await requireUsableAccount(context, attempt, row, (refusal) => refusal)
    return row
  },
  async handle({ context }, work, row: PasswordRow) {
    const secret = randomBytes(16)
    const { account_id } = row
    await work.tx
      .insertInto('token')
      .values({ digest: sha256(secret), account_id, created_on: context.clock.now() })
      .execute()
    const actor = toViewer(row, { kind: 'token', id: null })
    await work.change({ object: 'tokens', made: `users/${account_id}`, op: 'create', actor })
    const token = secret.toString('hex')
    return { body: { user_id: String(account_id), token, uri: `tokens/${token}` } }
  },
})
