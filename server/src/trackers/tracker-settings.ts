import type { TrackerSettings } from './tracker.ts'

export const DEFAULT_SETTINGS: TrackerSettings = {
  submit_instructions: '',
  browse_instructions: '',
  allow_copy: true,
  instantiate_for_new_projects: false,
  log_priority_changes: false,
  notifications_level: 'all',
  private_comments: false,
  in_new_dropdown: true,
  allow_move: true,
  allow_deletion: true,
  require_precondition: false,
}

/** Stored structures may be older than a setting, or contain one that no longer exists. */
export function completeSettings(stored: Partial<TrackerSettings> = {}): TrackerSettings {
  return {
    ...DEFAULT_SETTINGS,
    ...Object.fromEntries(Object.entries(stored).filter(([name]) => name in DEFAULT_SETTINGS)),
  }
}
