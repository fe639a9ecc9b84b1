import { type TSchema, Type } from 'typebox'

/** A member that is always there, and may be null. */
export function nullable<Schema extends TSchema>(schema: Schema, description?: string) {
  return Type.Union([schema, Type.Null()], description === undefined ? {} : { description })
}
