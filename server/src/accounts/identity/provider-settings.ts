import { type Static, Type } from 'typebox'
import { nullable } from '../../platform/wire/nullable.ts'
import { groupMappings } from './group-mapping.ts'
import { IDENTITY_NAME_PATTERN } from './identity-name.ts'

const MAX_CLAIM_LENGTH = 255
const text = (maxLength: number, description?: string) =>
  Type.String({ minLength: 1, maxLength, trim: true, ...(description !== undefined && { description }) })
const claim = (description: string) => text(MAX_CLAIM_LENGTH, description)

/** The settings that may change while accounts refer to the provider; the issuer stays, because subjects belong to it. */
const changeable = {
  label: text(60, 'The text of its button.'),
  is_enabled: Type.Boolean({ default: true, description: 'False: people cannot sign in by it, and its sessions end.' }),
  client_id: text(255),
  client_secret_file: Type.Optional(
    nullable(
      Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$' }),
      'The name of a file in `WAYPOST_IDENTITY_SECRETS` with the secret, instead of `client_secret`.',
    ),
  ),
  client_authentication: Type.Enum(['client_secret_basic', 'client_secret_post', 'none'], {
    default: 'client_secret_basic',
  }),
  scopes: Type.Array(Type.String({ pattern: '^[\\x21\\x23-\\x5b\\x5d-\\x7e]{1,100}$' }), {
    maxItems: 20,
    uniqueItems: true,
    default: ['openid', 'email', 'profile'],
  }),
  match_by: Type.Enum(['subject', 'email'], {
    default: 'subject',
    description: '`email`: a verified address finds an account that is not linked yet; then the subject counts.',
  }),
  trusts_email: Type.Boolean({
    default: false,
    description: 'Its addresses count as verified without `email_verified`. Only if its users cannot choose them.',
  }),
  email_domains: Type.Array(Type.String({ pattern: '^[a-z0-9.-]{1,253}$' }), {
    maxItems: 100,
    uniqueItems: true,
    default: [],
    description: 'Only addresses of these domains; empty: all.',
  }),
  new_accounts: Type.Enum(['never', 'by_registration', 'always'], {
    default: 'never',
    description: 'For people without an account: `by_registration` follows the setting `registration`.',
  }),
  username_claim: Type.Enum(['preferred_username', 'email', 'nickname', 'upn'], { default: 'preferred_username' }),
  groups_claim: nullable(claim('The claim with the groups; null: groups are ignored.')),
  group_mappings: groupMappings('A value of the claim with the groups: a name, or an id.', MAX_CLAIM_LENGTH),
  clock_tolerance_seconds: Type.Integer({ minimum: 0, maximum: 300, default: 60 }),
  is_internal: Type.Boolean({
    default: false,
    description: 'The host of the issuer may have a private address. Other hosts may not.',
  }),
}

const Issuer = Type.String({
  maxLength: 500,
  description: 'As the provider spells it. `https`; `http` only on this machine. It cannot be changed later.',
})

export const ProviderName = Type.String({
  pattern: IDENTITY_NAME_PATTERN,
  description: 'Part of the addresses that the provider knows. It cannot be changed later.',
})

const ProviderSettings = Type.Object({ issuer: Issuer, ...changeable })
export type ProviderSettings = Static<typeof ProviderSettings>

const client_secret = Type.Optional(
  nullable(Type.String({ minLength: 1, maxLength: 1000 }), 'Never shown again. Null removes it.'),
)

/** Everything but what identifies the provider has a default. */
const { label, client_id, ...withDefaults } = changeable

export const NewProvider = Type.Object(
  {
    name: ProviderName,
    issuer: Issuer,
    label,
    client_id,
    client_secret,
    ...Type.Partial(Type.Object(withDefaults)).properties,
  },
  { title: 'NewIdentityProvider' },
)
export type NewProvider = Static<typeof NewProvider>

export const ProviderChanges = Type.Object(
  { client_secret, ...Type.Partial(Type.Object(changeable)).properties },
  { title: 'IdentityProviderChanges', examples: [{ label: 'Company account' }] },
)
export type ProviderChanges = Static<typeof ProviderChanges>

export const ProviderAnswer = Type.Object(
  {
    name: Type.String(),
    uri: Type.String(),
    ...ProviderSettings.properties,
    client_secret_file: nullable(Type.String()),
    has_client_secret: Type.Boolean({ description: 'A secret is stored. It is never shown.' }),
    redirect_uri: Type.String({ description: 'To be registered at the provider.' }),
    backchannel_logout_uri: Type.String({ description: 'To be registered at the provider.' }),
    post_logout_redirect_uri: Type.String({ description: 'To be registered at the provider.' }),
  },
  { title: 'IdentityProvider' },
)

export const PROVIDER_DEFAULTS = {
  is_enabled: true,
  client_secret_file: null,
  client_authentication: 'client_secret_basic',
  scopes: ['openid', 'email', 'profile'],
  match_by: 'subject',
  trusts_email: false,
  email_domains: [],
  new_accounts: 'never',
  username_claim: 'preferred_username',
  groups_claim: null,
  group_mappings: [],
  clock_tolerance_seconds: 60,
  is_internal: false,
} satisfies Partial<ProviderSettings>
