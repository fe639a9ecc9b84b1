import { toHue } from '../design/hue.ts'
import { StatusPill, type StatusProgress, ValuePill } from '../design/pill.tsx'
import { statusProgress } from '../field-types/status.tsx'
import type { DefinedListValue, Definition } from './definition.ts'
import { everyElement } from './tree.ts'

type ProgressOfKey = (key: string) => StatusProgress

/** The progress of the values of this field while it is edited; undefined: it is not the status. */
export function definedProgress(definition: Definition, field: string | undefined): ProgressOfKey | undefined {
  const { status, done } = definition.semantics
  const element = [...everyElement(definition.elements)].find(({ name }) => name === field)
  if (!status || status.field !== field || element?.bind?.type !== 'static') return undefined
  const open = element.bind.values.map(({ key }) => key).filter((key) => status.open.includes(key))
  return statusProgress(open, done ?? [])
}

/** A value of a list, as the artifacts show it. */
export function DefinedValue({
  value,
  progressOf,
}: {
  value: DefinedListValue
  progressOf: ProgressOfKey | undefined
}) {
  const { key, label, color } = value
  if (!progressOf) return <ValuePill hue={toHue(color)}>{label}</ValuePill>
  return (
    <StatusPill hue={toHue(color)} progress={progressOf(key)}>
      {label}
    </StatusPill>
  )
}
