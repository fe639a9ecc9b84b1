import { queryOptions } from '@tanstack/react-query'
import { api, read } from '../../api.ts'
import { isJsonRecord, jsonObjects, jsonText } from '../../json.ts'

/** Fields by their labels: what becomes of them in the other tracker. */
export interface MigrationPreview {
  readonly kept: readonly string[]
  readonly partly: readonly string[]
  readonly lost: readonly string[]
}

/** The trackers of a project; `administered`: only those that the viewer administers. */
export const targetTrackersQuery = (project: number, whose: 'administered' | 'all') =>
  queryOptions({
    queryKey: ['projects', project, 'trackers', 'targets', whose],
    staleTime: 60_000,
    queryFn: () =>
      Array.fromAsync(
        api.list('GET /projects/{id}/trackers', {
          path: { id: project },
          query: {
            fields: 'label',
            limit: 50,
            ...(whose === 'administered' && { query: '{"is_tracker_admin":true}' }),
          },
        }),
      ),
  })

export const movePreviewQuery = (id: number, tracker: number) =>
  queryOptions({
    queryKey: ['artifacts', id, 'move', tracker],
    queryFn: async (): Promise<MigrationPreview> => {
      const body = { move: { tracker_id: tracker, dry_run: true } }
      const { dry_run: report } = await read(api.call('PATCH /artifacts/{id}', { path: { id }, body, ifMatch: '*' }))
      const labels = (fields: readonly { label: string }[] = []) => fields.map(({ label }) => label)
      return {
        kept: labels(report?.fields.fields_migrated),
        partly: labels(report?.fields.fields_partially_migrated),
        lost: labels(report?.fields.fields_not_migrated),
      }
    },
  })

export interface CopyChoice {
  readonly tracker: { readonly id: number }
  readonly links: 'none' | 'forward'
  readonly files: boolean
  readonly comments: boolean
}

export const copyPreviewQuery = (id: number, choice: CopyChoice) =>
  queryOptions({
    queryKey: ['artifacts', id, 'copy', choice],
    queryFn: async (): Promise<MigrationPreview> => {
      const { dry_run } = await read(api.dryRun('POST /artifacts/{id}/copy', { path: { id }, body: choice }))
      const { would_answer: answer } = dry_run
      const copied = isJsonRecord(answer) && isJsonRecord(answer['copied']) ? answer['copied'] : {}
      const labels = (name: string) => jsonObjects(copied[name]).map(({ label }) => jsonText(label))
      return { kept: labels('fields_copied'), partly: [], lost: labels('fields_not_copied') }
    },
  })
