import { type Static, Type } from 'typebox'

export const ProjectMinimal = Type.Object(
  {
    id: Type.Integer(),
    uri: Type.String(),
    label: Type.String(),
    label_without_icon: Type.String(),
    shortname: Type.String(),
    status: Type.Union([Type.String(), Type.Null()]),
    access: Type.Enum(['public', 'unrestricted', 'private', 'private-wo-restr']),
    is_template: Type.Boolean(),
  },
  { title: 'ProjectMinimal' },
)
export type ProjectMinimal = Static<typeof ProjectMinimal>

export const ProjectFull = Type.Object(
  {
    ...ProjectMinimal.properties,
    resources: Type.Array(Type.Object({ type: Type.String(), uri: Type.String() })),
    additional_informations: Type.Array(Type.Unknown(), {
      description: 'A map by service; an empty list while it is empty.',
    }),
    is_member_of: Type.Boolean(),
    description: Type.String(),
    additional_fields: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
    icon: Type.String(),
  },
  { title: 'Project' },
)
export type ProjectFull = Static<typeof ProjectFull>
