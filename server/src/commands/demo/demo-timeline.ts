import { addReaction } from '../../artifacts/comments/react-to-comment.ts'
import { findLatestChangeset } from '../../artifacts/history/find-latest-changeset.ts'
import { createArtifact } from '../../artifacts/create-artifact.ts'
import { updateArtifact } from '../../artifacts/update-artifact/update-artifact.ts'
import { attachDemoFiles } from './demo-files.ts'
import { inDays, momentOf } from './demo-calendar.ts'
import type { DemoComment, DemoItem } from './demo-item.ts'
import { type DemoScene, idOf, notify, readInboxes } from './demo-scene.ts'
import { DEMO_LINK_TYPE } from './demo-trackers.ts'
import { DEMO_TEAM } from './demo-people.ts'

/** One change. Changes of a day happen in this order. */
interface DemoChange {
  readonly title: string
  readonly day: number
  readonly order: 'create' | 'link' | 'edit' | 'move' | 'comment'
  readonly run: () => Promise<unknown>
}

type UnnamedChange = Omit<DemoChange, 'title'>

const ORDER: readonly DemoChange['order'][] = ['create', 'link', 'edit', 'move', 'comment']

/** Where the items are created, and the names of its fields. */
export interface DemoBoard {
  readonly tracker: number
  readonly title: string
  readonly text: string
  readonly due: string
}

/** Everything that happens to the items of a tracker. */
export function planDemoChanges(scene: DemoScene, board: DemoBoard, items: readonly DemoItem[]): DemoChange[] {
  return items.flatMap((item) => planItem(scene, board, item, items).map((each) => ({ ...each, title: item.title })))
}

function planItem(scene: DemoScene, board: DemoBoard, item: DemoItem, items: readonly DemoItem[]): UnnamedChange[] {
  return [
    { day: item.day, order: 'create' as const, run: () => create(scene, board, item) },
    ...planFiles(scene, item),
    ...planLinks(scene, item, items),
    ...(item.edits ?? []).map(({ day, by, values, due }) => {
      const changed = { ...values, ...(due !== undefined && { [board.due]: inDays(scene.now, due) }) }
      return { day, order: 'edit' as const, run: () => change(scene, item, by, { values_by_field: changed }) }
    }),
    ...readMoves(item).map(({ day, by, status }) => {
      const comment = status === 'Rejected' ? { body: item.reason ?? '' } : null
      const body = { values_by_field: { status }, comment }
      return { day, order: 'move' as const, run: () => change(scene, item, by, body) }
    }),
    ...(item.comments ?? []).map((comment) => ({
      day: comment.day,
      order: 'comment' as const,
      run: () => addComment(scene, item, comment),
    })),
  ]
}

/** Applies the changes of all trackers in the order of time. */
export async function playChanges(scene: DemoScene, changes: readonly DemoChange[]): Promise<void> {
  const days = [...new Set(changes.map(({ day }) => day))].toSorted((one, other) => other - one)
  for (const day of days) {
    const todays = ORDER.flatMap((order) => changes.filter((each) => each.day === day && each.order === order))
    if (day === 1) await readInboxes(scene, DEMO_TEAM)
    for (const [at, { title, order, run }] of todays.entries()) {
      scene.moveTo(momentOf(scene.now, day, at, todays.length))
      await run().catch((cause: unknown) => {
        throw new Error(`The demo cannot ${order} “${title}”.`, { cause })
      })
      if (day <= 1) await notify(scene)
    }
    await notify(scene)
  }
  scene.moveTo(scene.now)
}

async function create(scene: DemoScene, board: DemoBoard, item: DemoItem): Promise<void> {
  const { title, text, by, to, due, tags, values } = item
  const values_by_field = {
    [board.title]: title,
    ...(text !== undefined && { [board.text]: resolveReferences(scene, text) }),
    ...(to !== undefined && { assigned_to: to }),
    ...(due !== undefined && { [board.due]: inDays(scene.now, due) }),
    ...(tags && { tags }),
    ...values,
  }
  const made = await scene.call(by, createArtifact, { body: { tracker: { id: board.tracker }, values_by_field } })
  const xref = typeof made === 'object' && made !== null && 'xref' in made ? String(made.xref) : ''
  scene.artifacts.set(title, { id: idOf(made), xref })
}

function resolveReferences(scene: DemoScene, text: string): string {
  return text.replaceAll(/\[\[(.+?)\]\]/g, (_, title: string) => artifactOf(scene, title).xref)
}

function artifactOf({ artifacts }: DemoScene, title: string) {
  const found = artifacts.get(title)
  if (!found) throw new Error(`The demo has no artifact ${title} yet.`)
  return found
}

function change(scene: DemoScene, { title }: DemoItem, by: string, body: object): Promise<unknown> {
  return scene.call(by, updateArtifact, { params: { id: artifactOf(scene, title).id }, body })
}

/** Links are set when the last of the linked artifacts exists. */
function planLinks(scene: DemoScene, item: DemoItem, items: readonly DemoItem[]): UnnamedChange[] {
  const linked = [
    ...(item.children ?? []).map((title) => ({ title, type: '_is_child' })),
    ...(item.blocks ?? []).map((title) => ({ title, type: DEMO_LINK_TYPE.shortname })),
  ]
  if (linked.length === 0) return []
  const days = linked.flatMap(({ title }) => items.filter((each) => each.title === title).map(({ day }) => day))
  const run = () => {
    const links = linked.map(({ title, type }) => ({ id: artifactOf(scene, title).id, type }))
    return change(scene, item, item.by, { values_by_field: { links: { links } } })
  }
  return [{ day: Math.min(item.day, item.linkedOn ?? item.day, ...days), order: 'link', run }]
}

function planFiles(scene: DemoScene, item: DemoItem): UnnamedChange[] {
  const { files, day, by } = item
  if (!files) return []
  return [{ day, order: 'edit', run: () => attachDemoFiles(scene, artifactOf(scene, item.title).id, by, files) }]
}

/** `Confirmed@8 In progress@6`, with the person who makes each move. */
function readMoves({ moves = '', to, by }: DemoItem) {
  const assignee = to === undefined ? by : typeof to === 'string' ? to : (to[0] ?? by)
  return [...moves.matchAll(/([A-Z][a-z ]+)@(\d+)/g)].map(([, status = '', day = '0']) => {
    const tester = assignee === 'samuel' ? 'lena' : 'samuel'
    const author = status === 'Confirmed' || status === 'Ready' ? 'mara' : status === 'Verified' ? tester : assignee
    return { status, day: Number(day), by: author }
  })
}

async function addComment(scene: DemoScene, item: DemoItem, { by, text, liked = [] }: DemoComment): Promise<void> {
  await change(scene, item, by, { comment: { body: resolveReferences(scene, text), format: 'commonmark' } })
  const { id } = artifactOf(scene, item.title)
  const changeset_id = (await findLatestChangeset(scene.context.db, id)) ?? 0
  const params = { id, changeset_id, reaction: 'thumbs_up' }
  for (const login of liked) await scene.call(login, addReaction, { params })
}
