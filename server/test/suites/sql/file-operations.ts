import { uploadInChunks } from '../../fixtures/attachments.ts'
import { TOM } from '../../fixtures/people.ts'
import { announce, attach, callBytes, patchUpload, uploadTestFile } from '../../fixtures/uploads.ts'
import type { SqlOperation } from './sql-operation.ts'

export const FILE_OPERATIONS: readonly SqlOperation[] = [
  {
    name: 'announce-file',
    runs: 'POST /tracker_fields/{id}/files',
    note: 'A browser announces an upload.',
    prepare:
      ({ api, parcels }) =>
      () =>
        announce(api, parcels.field('papers'), 5),
  },
  {
    name: 'upload-file',
    runs: 'PATCH /uploads/{id}',
    note: 'A browser sends all bytes of an announced upload, which seals the file.',
    prepare: async ({ api, parcels }) => {
      const id = await announce(api, parcels.field('papers'), 5)
      return () => patchUpload(api, id, 0, 'pages')
    },
  },
  {
    name: 'upload-file-in-chunks',
    runs: 'POST /artifact_temporary_files',
    note: 'A script uploads the first chunk of a file.',
    prepare:
      ({ api }) =>
      () =>
        uploadInChunks(api, TOM),
  },
  {
    name: 'attach-file',
    runs: 'POST /artifacts with a file',
    note: 'A member creates an artifact with an uploaded file.',
    prepare: async ({ api, parcels }) => {
      const file = await uploadTestFile(api, parcels.field('papers'), 'pages')
      return () => attach(api, parcels, [file])
    },
  },
  {
    name: 'download-file',
    runs: 'GET /files/{id}/{name}',
    note: 'A member opens an attachment.',
    prepare: async ({ api, parcels }) => {
      const file = await uploadTestFile(api, parcels.field('papers'), 'pages')
      await attach(api, parcels, [file])
      return () => callBytes(api, `/files/${file}/papers.txt`, { as: TOM })
    },
  },
]
