import { WORK_GROUPINGS, type WorkGrouping } from './group-work.ts'

const STORAGE_KEY = 'waypost.work_grouping'

/** The chosen grouping; kept on the device. */
export function loadGrouping(): WorkGrouping {
  const stored = localStorage.getItem(STORAGE_KEY)
  return WORK_GROUPINGS.find((each) => each === stored) ?? 'due'
}

export function storeGrouping(grouping: WorkGrouping): void {
  localStorage.setItem(STORAGE_KEY, grouping)
}
