import { type TSchema, Type } from 'typebox'
import type { FieldType } from './field-type.ts'
import { FIELD_TYPES } from './field-types.ts'

/** The members of every value in responses. */
export const VALUE_MEMBERS = { field_id: Type.Integer(), type: Type.String(), label: Type.String() }

/** One value in responses, as the OpenAPI description shows it: a union by `type`. */
export function describeValue(): TSchema {
  const schemas = FIELD_TYPES.flatMap(readSchemaOf)
  return {
    ...Type.Object(VALUE_MEMBERS, { title: 'Value', description: 'Further members depend on the type.' }),
    oneOf: schemas,
    discriminator: {
      propertyName: 'type',
      mapping: Object.fromEntries(
        schemas.map(({ title, properties }) => [properties.type.const, `#/components/schemas/${title}`]),
      ),
    },
  }
}

/** One value in requests. The type is that of the field, so no member of the item tells it. */
export function describeValueItem(): TSchema {
  const members = { field_id: Type.Integer() }
  const others = Type.Object(members, {
    title: 'AnyValueItem',
    description: 'Any other form, which the field checks; unknown members are ignored.',
    additionalProperties: Type.Unknown(),
  })
  const description = 'Further members depend on the type of the field.'
  return {
    ...Type.Object(members, { title: 'ValueItem', description }),
    anyOf: [...FIELD_TYPES.flatMap(writeSchemaOf), others],
  }
}

/** None for elements without values. */
export function readSchemaOf({ type, schemaName, readSchema }: FieldType) {
  if (schemaName === undefined || readSchema === undefined) return []
  const title = `${schemaName}Value`
  return [{ ...Type.Object({ ...VALUE_MEMBERS, type: Type.Literal(type), ...readSchema }), title }]
}

/** None for fields that are read-only. */
export function writeSchemaOf({ type, schemaName, writeSchema }: FieldType) {
  if (schemaName === undefined || writeSchema === undefined) return []
  const description = `For fields of type \`${type}\`.`
  return [Type.Object({ field_id: Type.Integer(), ...writeSchema }, { title: `${schemaName}Input`, description })]
}
