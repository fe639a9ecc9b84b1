import { type TSchema, Type } from 'typebox'
import { knownNames } from '../../platform/wire/known-names.ts'
import type { MemberNames } from '../../platform/wire/schema-shape.ts'
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
  const names = Object.keys(valueItemNames().members).filter((name) => name !== 'field_id')
  const others = Type.Object(
    { ...members, ...Object.fromEntries(names.map((name) => [name, Type.Optional(Type.Unknown())])) },
    {
      title: 'AnyValueItem',
      description: 'Any other form, which the field checks. Members that only a `Value` has are ignored.',
      additionalProperties: false,
    },
  )
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

/**
 * The names that an item may have, at every level: those that fields take, and those that responses show, because
 * clients send back what they have read. `byName`: items of `values_by_field`, which may also be the bare value.
 */
export function valueItemNames({ byName = false } = {}): MemberNames {
  const shown = FIELD_TYPES.flatMap(({ readSchema }) => (readSchema ? [Type.Object({ ...readSchema })] : []))
  const taken = FIELD_TYPES.flatMap(({ writeSchema }) => (writeSchema ? [Type.Object({ ...writeSchema })] : []))
  const chosen = memberSchemas(shown, 'bind_value_objects')
  const links = memberSchemas(shown, 'links')
  const names = knownNames(
    [Type.Object({ field_id: Type.Integer() }), ...taken, ...(byName ? FORMS_BY_NAME : []), ...OTHER_FORMS],
    [
      Type.Object(VALUE_MEMBERS),
      ...shown,
      ...chosen.map((schema) =>
        Type.Object({ bind_value_ids: schema, value: Type.Object({ bind_value_objects: schema }) }),
      ),
      ...links.map((schema) => Type.Object({ all_links: schema, ...(byName && { value: schema }) })),
    ],
  )
  return byName && names.members['value'] ? { ...names, items: names.members['value'] } : names
}

const OpenValue = Type.Object({
  id: Type.String(),
  label: Type.String(),
  username: Type.String(),
  email: Type.String(),
  short_name: Type.String(),
})

/** Forms that fields take beside those of their `writeSchema`. */
const OTHER_FORMS = [Type.Object({ bind_value_ids: OpenValue })]
const FORMS_BY_NAME = [
  Type.Object({ format: Type.String(), value: OpenValue }),
  Type.Object({ value: Type.Object({ id: Type.Integer(), type: Type.String() }) }),
]

function memberSchemas(schemas: readonly { properties: Readonly<Record<string, TSchema>> }[], name: string): TSchema[] {
  return schemas.flatMap(({ properties }) => properties[name] ?? [])
}
