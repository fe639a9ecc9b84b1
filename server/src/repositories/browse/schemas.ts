import { type Static, Type } from 'typebox'
import { Resources } from '../../platform/wire/resources.ts'
import { nullable } from '../../platform/wire/nullable.ts'

export const OperationSchema = Type.Union([
  Type.Literal('added'),
  Type.Literal('modified'),
  Type.Literal('deleted'),
  Type.Literal('replaced'),
])

export const PropsSchema = Type.Record(Type.String(), Type.String(), { description: 'Properties by their names.' })

export const CopiedFrom = nullable(Type.Object({ path: Type.String(), revision: Type.Integer() }))

/** All fields except the number are null if the viewer may read none of the changed paths. */
export const Revision = Type.Object(
  {
    revision: Type.Integer(),
    uri: Type.String(),
    resources: Type.Optional(Resources),
    author: nullable(Type.Object({ id: Type.Integer(), username: Type.String() })),
    author_name: nullable(Type.String({ description: 'The author that the revision names.' })),
    date: nullable(Type.String()),
    message: nullable(Type.String({ description: 'Null where some of the paths may not be read.' })),
    references: nullable(Type.Array(Type.Object({ ref: Type.String(), url: Type.String() }))),
    paths: nullable(
      Type.Array(Type.Object({ path: Type.String(), op: OperationSchema, copied_from: CopiedFrom }), {
        description: 'The first 1,000 of those that may be read.',
      }),
    ),
    paths_hidden: nullable(Type.Boolean()),
    paths_truncated: nullable(Type.Boolean()),
  },
  { title: 'SvnRevision' },
)
export type Revision = Static<typeof Revision>
