import { Type } from 'typebox'
import { AccountStatusSchema, UserMinimal } from '../../accounts/users/schemas.ts'
import { anonymousUser } from '../../accounts/users/user.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import type { Reading } from './field-type.ts'

/** Somebody inside a value. */
export const Person = Type.Object(
  {
    ...UserMinimal.properties,
    email: Type.Union([Type.String(), Type.Null()], { description: 'Null where the caller may not read it.' }),
    status: Type.Union([AccountStatusSchema, Type.Null()]),
  },
  { title: 'UserOfValue' },
)

/** Null is somebody who was not signed in. */
export function personIn(reading: Reading, id: AccountId | null): object {
  const { context, language } = reading
  const known = id === null ? undefined : reading.user(id)
  return known ?? { ...anonymousUser(context, language), email: null, status: null }
}

export function loginOf(reading: Reading, id: AccountId | null): string | null {
  return (id === null ? undefined : reading.user(id)?.username) ?? null
}
