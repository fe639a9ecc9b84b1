import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { joinTrackerAndProject, joinTrackerProjectAndMe, maySeeArtifact } from '../../src/artifacts/visibility.ts'
import { joinProject } from '../../src/projects/project-sql.ts'
import { mayEnter } from '../../src/projects/visibility.ts'
import { maySeeTracker } from '../../src/trackers/visibility.ts'
import { ANONYMOUS_VIEWER } from '../../src/platform/http/request-state.ts'
import { aliases, joining } from '../../src/platform/database/aliases.ts'

test('a fragment compiles only in a statement that has its aliases', () => {
  const viewer = ANONYMOUS_VIEWER
  const project = joinProject(sql`repository.project_id`)
  mayEnter(viewer, project)
  mayEnter(viewer, joinTrackerAndProject)
  maySeeTracker(viewer, aliases('tracker', 'project'))
  maySeeArtifact(viewer, joinTrackerProjectAndMe)
  // @ts-expect-error -- no aliases are stated
  mayEnter(viewer)
  // @ts-expect-error -- `tracker` is not joined
  maySeeTracker(viewer, project)
  // @ts-expect-error -- `me` is not joined
  maySeeArtifact(viewer, joinTrackerAndProject)
  // @ts-expect-error -- the project has another alias
  mayEnter(viewer, aliases('target_project'))
  expect(joining(sql`join project on true`, 'project').hasAlias('project')).toBe(true)
})
