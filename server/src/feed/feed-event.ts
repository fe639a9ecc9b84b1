import { type Static, Type } from 'typebox'
import { nullable } from '../platform/wire/nullable.ts'

const IdReference = Type.Object({ id: Type.Integer() }, { title: 'Named' })
const EventPerson = Type.Object({ id: Type.Integer(), username: Type.String() }, { title: 'PersonOfEvent' })

export const FeedEvent = Type.Object(
  {
    id: Type.String({ description: 'Its cursor in the feed, for `after` and `Last-Event-ID`.' }),
    type: Type.String(),
    on: Type.String(),
    object: nullable(Type.String({ description: 'The address of the object, below `/api`.' })),
    project: nullable(IdReference),
    tracker: nullable(IdReference),
    actor: nullable(EventPerson),
    version: nullable(Type.Integer()),
    changed: Type.Array(Type.String(), { description: 'Changed fields and members that the caller may read.' }),
    has_comment: Type.Boolean({ description: 'There is a comment that the caller may read.' }),
    silent: Type.Boolean({ description: 'The event sends no notifications.' }),
    transition: Type.Optional(
      Type.Object(
        { from: nullable(Type.Integer()), to: nullable(Type.Integer()) },
        { title: 'TransitionOfEvent', description: 'Status values before and after.' },
      ),
    ),
    member: Type.Optional(EventPerson),
    revision: Type.Optional(Type.Integer({ description: 'Revision of the commit.' })),
    directories: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Directories with changes of the commit, those of the first 100 that the caller may read.',
      }),
    ),
    client_uuid: nullable(Type.String({ description: "The tab that made the change, if it is one of the caller's." })),
    request_id: nullable(Type.String({ description: "The request that made the change, if it is the caller's." })),
  },
  { title: 'Event' },
)
export type FeedEvent = Static<typeof FeedEvent>
