import { Lines } from '../../harness/client.ts'
import { makeTestArtifact } from '../../fixtures/every-field.ts'
import { MARA, TOM } from '../../fixtures/people.ts'
import { BUGS } from '../../fixtures/seed-ids.ts'
import { BUG_LIST, assertSucceeded, changePoints } from './scene.ts'
import type { SqlOperation } from './sql-operation.ts'

export const ARTIFACT_OPERATIONS: readonly SqlOperation[] = [
  {
    name: 'get-artifact',
    runs: 'GET /artifacts/{id}',
    note: 'A member of the project opens an artifact.',
    prepare:
      ({ api, bug }) =>
      () =>
        api.get(`/artifacts/${bug}`, { as: TOM }),
  },
  {
    name: 'update-artifact',
    runs: 'PUT /artifacts/{id}',
    note: 'A member changes one number.',
    prepare:
      ({ api, bug }) =>
      () =>
        api.put(`/artifacts/${bug}`, { as: TOM, body: changePoints(5) }),
  },
  {
    name: 'update-artifact-idempotent',
    runs: 'PUT /artifacts/{id} with Idempotency-Key',
    note: 'The same change in a transaction, which also stores the response for retries.',
    prepare: ({ api, bug }) => {
      const headers = { 'idempotency-key': `key-${bug}` }
      return () => api.put(`/artifacts/${bug}`, { as: TOM, body: changePoints(5), headers })
    },
  },
  {
    name: 'comment-on-artifact',
    runs: 'PUT /artifacts/{id} with a comment alone',
    note: 'A member comments; no field changes.',
    prepare: ({ api, bug }) => {
      const body = { comment: { body: 'Seen again', format: 'text' } }
      return () => api.put(`/artifacts/${bug}`, { as: TOM, body })
    },
  },
  {
    name: 'create-artifact',
    runs: 'POST /artifacts',
    note: 'A member creates an artifact with one text.',
    prepare: ({ api }) => {
      const body = { tracker: { id: BUGS }, values_by_field: { summary: { value: 'Valve rattles' } } }
      return () => api.post('/artifacts', { as: TOM, body })
    },
  },
  {
    name: 'write-artifacts-in-bulk',
    runs: 'POST /trackers/{id}/artifacts/bulk',
    note: 'One line creates an artifact, one changes another.',
    prepare: ({ api, bug }) => {
      const created = { op: 'create', values_by_field: { summary: { value: 'Valve rattles' } } }
      const body = new Lines([created, { op: 'update', id: bug, ...changePoints(8) }])
      return () => api.post(`${BUG_LIST}/bulk`, { as: TOM, body })
    },
  },
  {
    name: 'set-links',
    runs: 'PUT /artifacts/{id}/links',
    note: 'A member links an artifact to another one.',
    prepare: ({ api, bug, child }) => {
      const body = { all_links: [{ id: bug, direction: 'forward', type: '' }] }
      return () => api.put(`/artifacts/${child}/links`, { as: TOM, body })
    },
  },
  {
    name: 'list-linked-artifacts',
    runs: 'GET /artifacts/{id}/linked_artifacts',
    note: 'The children of an artifact.',
    prepare:
      ({ api, bug }) =>
      () =>
        api.get(`/artifacts/${bug}/linked_artifacts?direction=forward&nature=_is_child`, { as: TOM }),
  },
  {
    name: 'fire-trigger',
    runs: 'PUT /artifacts/{id} of a child',
    note: 'The last open task is done, so a trigger also changes its story.',
    prepare: async ({ api, stories, tasks }) => {
      const task = await makeTestArtifact(api, tasks, { summary: 'Task', status: 'Open' })
      const links = { links: [{ id: task, type: '_is_child' }] }
      await makeTestArtifact(api, stories, { summary: 'Story', status: 'Open', links })
      return () => api.put(`/artifacts/${task}`, { as: TOM, body: { values_by_field: { status: 'Done' } } })
    },
  },
  {
    name: 'list-changesets',
    runs: 'GET /artifacts/{id}/changesets',
    note: 'The history and the comments of an artifact.',
    prepare:
      ({ api, bug }) =>
      () =>
        api.get(`/artifacts/${bug}/changesets`, { as: TOM }),
  },
  {
    name: 'copy-artifact',
    runs: 'POST /artifacts/{id}/copy',
    note: 'A member copies an artifact within its tracker.',
    prepare:
      ({ api, bug }) =>
      () =>
        api.post(`/artifacts/${bug}/copy`, { as: TOM }),
  },
  {
    name: 'move-artifact',
    runs: 'PATCH /artifacts/{id}',
    note: 'An administrator of both trackers moves an artifact.',
    prepare: ({ api, bug, trees }) => {
      const body = { move: { tracker_id: trees.id } }
      return () => api.patch(`/artifacts/${bug}`, { as: MARA, body })
    },
  },
  {
    name: 'delete-artifact',
    runs: 'DELETE /artifacts/{id}',
    note: 'An administrator moves an artifact to the trash.',
    prepare:
      ({ api, bug }) =>
      () =>
        api.delete(`/artifacts/${bug}`, { as: MARA }),
  },
  {
    name: 'list-tracker-trash',
    runs: 'GET /trackers/{id}/trash',
    note: 'An administrator opens the trash of a tracker.',
    prepare: async ({ api, bug }) => {
      assertSucceeded(await api.delete(`/artifacts/${bug}`, { as: MARA }))
      return () => api.get(`/trackers/${BUGS}/trash`, { as: MARA })
    },
  },
  {
    name: 'restore-artifact',
    runs: 'POST /artifacts/{id}/restore',
    note: 'An administrator restores an artifact from the trash.',
    prepare: async ({ api, bug }) => {
      assertSucceeded(await api.delete(`/artifacts/${bug}`, { as: MARA }))
      return () => api.post(`/artifacts/${bug}/restore`, { as: MARA })
    },
  },
]
