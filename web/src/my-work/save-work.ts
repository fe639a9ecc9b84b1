import type { OwnArtifact, TrackerField } from '@waypost/sdk/api'
import type { OpenArtifact } from '../artifacts/artifact-queries.ts'
import { explainRefusal } from '../artifacts/explain-refusal.ts'
import type { PickerKey } from '../artifacts/key-fields.ts'
import { baseOf, saveArtifact, type SaveResult } from '../artifacts/save-artifact.ts'
import type { ValueDraft } from '../field-types/field-type.ts'
import { draftKeys } from '../field-types/parts/list-keys.ts'
import { statusOf } from '../field-types/status.tsx'
import { offeredItems } from '../field-types/values.ts'
import { jsonText } from '../json.ts'
import { showToast } from '../design/toasts.ts'
import { text } from './messages.ts'
import { refetchWork, showChanged } from './work-query.ts'

interface Change {
  readonly open: OpenArtifact
  readonly field: TrackerField
  readonly draft: ValueDraft
}

/** Writes a value that was picked in a row, and shows it before the server has answered. */
export async function saveWork(item: OwnArtifact, key: PickerKey, change: Change): Promise<void> {
  const { open, draft } = change
  showChanged(item.id, (shown) => ({ ...shown, ...changedFacts(key, change) }))
  await settle(await saveArtifact(item.id, baseOf(open), [draft], ''), item, change, 'work.saved')
}

async function settle(
  saved: SaveResult,
  item: OwnArtifact,
  change: Change,
  done: 'work.saved' | 'work.taken_back',
): Promise<void> {
  const name = item.xref
  if (saved.kind === 'saved') {
    const { undo } = saved
    const takeBack = async () => {
      if (undo) await settle(await undo(), item, change, 'work.taken_back')
    }
    const message = text(done, { name, field: change.field.label })
    showToast(message, undo && done === 'work.saved' ? { undo: () => void takeBack() } : {})
  } else if (saved.kind === 'clash') {
    const { real_name, display_name } = saved.now.artifact.last_update_by_user
    showToast(text('work.overtaken', { name, who: real_name ?? display_name }), { isTrouble: true })
  } else {
    showToast(text('work.refused', { name, why: await explainRefusal(saved.failure) }), { isTrouble: true })
  }
  await refetchWork()
}

/** The values that the row shows after the change. */
function changedFacts(key: PickerKey, { open, field, draft }: Change): Partial<OwnArtifact> {
  const [chosen] = draftKeys(draft)
  const picked = offeredItems(field).find(({ id }) => id === chosen)
  const value = picked && { value: picked.label ?? '', color: picked.value_color ?? null }
  switch (key) {
    case 's': {
      const progress = chosen === undefined ? undefined : statusOf(open.tracker)?.progressOf(chosen)
      return { status: value ? { ...value, progress: typeof progress === 'number' ? progress : 1 } : null }
    }
    case 'p':
      return { priority: value ?? null }
    case 'd': {
      const day = jsonText(draft.value)
      return { due: day === '' ? null : { value: day, is_time_displayed: false } }
    }
    case 'a':
      return {}
    default:
      return key satisfies never
  }
}
