import { RichText } from '../../artifacts/rich-text.tsx'
import { countTasks } from '../../artifacts/task-list.ts'
import { tickInField } from '../../artifacts/tick-in-field.ts'
import { hasUpdatePermission, type PageViewProps } from '../field-type.ts'
import type { TextValue } from '../values.ts'
import { Nothing } from './nothing.tsx'
import { sourceOfText } from './text-source.ts'

/** A text whose tasks can be ticked in place. */
export function TextOfArtifact({ artifact, field, value }: PageViewProps<TextValue>) {
  if (!value?.value) return <Nothing />
  const source = sourceOfText(value)
  const tasks =
    source === undefined || !hasUpdatePermission(field)
      ? undefined
      : {
          count: countTasks(source),
          onTick: (index: number, isDone: boolean) => void tickInField(artifact, field, source, index, isDone),
        }
  return <RichText html={value.post_processed_value ?? ''} tasks={tasks} />
}
