import { Type } from 'typebox'
import { AccountStatusSchema, UserMinimal } from '../../accounts/users/schemas.ts'
import { anonymousUser } from '../../accounts/users/user.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import type { ReadContext } from './field-type.ts'

/** An account inside a value. */
export const PersonValue = Type.Object(
  {
    ...UserMinimal.properties,
    email: Type.Union([Type.String(), Type.Null()], { description: 'Null if the caller may not read it.' }),
    status: Type.Union([AccountStatusSchema, Type.Null()]),
  },
  { title: 'UserOfValue' },
)

/** Null: an anonymous user. */
export function personIn(reading: ReadContext, id: AccountId | null): object {
  const { context, language } = reading
  const known = id === null ? undefined : reading.user(id)
  return known ?? { ...anonymousUser(context, language), email: null, status: null }
}

export function personLogin(reading: ReadContext, id: AccountId | null): string | null {
  return (id === null ? undefined : reading.user(id)?.username) ?? null
}
