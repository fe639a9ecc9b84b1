import { type Static, Type } from 'typebox'

/** The addresses below a resource: clients navigate without knowing them in advance. */
export const Resources = Type.Array(Type.Object({ type: Type.String(), uri: Type.String() }), {
  description: 'Addresses below this one that the caller may read, relative to the base address.',
})
export type Resources = Static<typeof Resources>

/** Each type is also the last part of its address. */
export function resourcesBelow(uri: string, types: readonly string[]): Resources {
  return types.map((type) => ({ type, uri: `${uri}/${type}` }))
}
