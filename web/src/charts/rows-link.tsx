import { Link } from '@tanstack/react-router'
import type { TrackerField } from '@waypost/sdk/api'
import type { ReactNode } from 'react'
import { groupCondition, type RowGroupKey } from '../trackers/grouping/group-choice.ts'
import { addTerm } from '../trackers/tql/terms.ts'

/** The rows that a chart counts. */
export interface CountedRows {
  readonly tracker: number
  /** The filter of the chart. */
  readonly where: string
  readonly field: TrackerField
}

interface Props {
  /** Undefined: the rows are not known as a query. */
  readonly rows: CountedRows | undefined
  readonly value: RowGroupKey | undefined
  readonly children: ReactNode
}

/** Leads from a value of a chart to the rows that have it now. */
export function RowsLink({ rows, value, children }: Props) {
  if (!rows || value === undefined) return children
  const { tracker, where, field } = rows
  const q = addTerm(where, groupCondition({ field, bucket: undefined }, value))
  return (
    <Link to="/trackers/$id" params={{ id: String(tracker) }} search={{ q }}>
      {children}
    </Link>
  )
}
