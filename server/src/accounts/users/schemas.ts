import { type Static, Type } from 'typebox'
import { nullable } from '../../platform/wire/nullable.ts'

export const UserMinimal = Type.Object(
  {
    id: nullable(Type.Integer(), 'Null for an anonymous person, like the other members that name one.'),
    uri: nullable(Type.String()),
    user_url: nullable(Type.String()),
    real_name: nullable(Type.String()),
    display_name: Type.String(),
    username: nullable(Type.String()),
    ldap_id: nullable(Type.String()),
    avatar_url: Type.String(),
    is_anonymous: Type.Boolean(),
    has_avatar: Type.Boolean(),
  },
  { title: 'UserMinimal' },
)
export type UserMinimal = Static<typeof UserMinimal>

export const AccountStatusSchema = Type.Enum(['A', 'R', 'S', 'D', 'P', 'V', 'W'], {
  description: '`A` active, `R` restricted, `S` suspended, `D` deleted, `P` pending, `V` and `W` validated.',
})
const TextFormatSchema = Type.Enum(['text', 'html', 'commonmark'], {
  description: 'The format of texts that are sent without one.',
})

export const UserFull = Type.Object(
  {
    ...UserMinimal.properties,
    email: Type.Optional(nullable(Type.String(), 'Absent for anonymous callers, null for restricted ones.')),
    status: Type.Optional(nullable(AccountStatusSchema)),
    time_zone: Type.Optional(nullable(Type.String(), 'For oneself and site administrators, like all that follow.')),
    language: Type.Optional(nullable(Type.String())),
    text_format: Type.Optional(TextFormatSchema),
    pending_email: Type.Optional(nullable(Type.String(), 'In force as soon as it is verified.')),
    is_site_admin: Type.Optional(Type.Boolean()),
  },
  { title: 'User' },
)
export type UserFull = Static<typeof UserFull>

/** A person's name, without control and bidirectional formatting characters. */
export const RealName = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028-\\u202e\\u2066-\\u2069]*$',
  trim: true,
})

/** Preferences of an account; null resets to the platform's default. */
export const profileChoices = {
  time_zone: Type.Optional(nullable(Type.String({ maxLength: 64 }), 'A zone of the IANA list.')),
  language: Type.Optional(nullable(Type.String({ maxLength: 35 }), 'The tag of an installed language.')),
  text_format: Type.Optional(TextFormatSchema),
}

export const preferenceKey = Type.String({ minLength: 1, maxLength: 255, description: 'The name of the preference.' })

export const AccessKeySchema = Type.Object(
  {
    id: Type.Integer(),
    uri: Type.String(),
    creation_date: Type.String(),
    expiration_date: nullable(Type.String()),
    description: Type.String(),
    last_used_on: nullable(Type.String()),
    last_used_by: nullable(Type.String(), 'The address that it was used from.'),
    scopes: Type.Array(Type.Object({ identifier: Type.String() })),
    projects: nullable(Type.Array(Type.Integer()), 'The projects that it is limited to; null: it is not.'),
  },
  { title: 'AccessKey' },
)
export type AccessKeySchema = Static<typeof AccessKeySchema>
