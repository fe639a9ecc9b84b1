import { type TSchema, Type } from 'typebox'

/** A required member that may be null. */
export function nullable<Schema extends TSchema>(schema: Schema, description?: string) {
  return Type.Union([schema, Type.Null()], description === undefined ? {} : { description })
}
