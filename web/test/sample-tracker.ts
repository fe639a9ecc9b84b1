import type { Tracker, TrackerField } from '@waypost/sdk/api'

/** A field as the structure of a tracker describes it. */
export function sampleField(type: string, more: Partial<TrackerField> = {}): TrackerField {
  return {
    field_id: 104,
    label: 'Field',
    name: 'field',
    type,
    values: null,
    required: false,
    collapsed: false,
    bindings: { type: null, list: [] },
    permissions: ['read', 'update', 'create'],
    permissions_for_groups: null,
    default_value: null,
    has_notifications: false,
    is_used: true,
    description: '',
    specific_properties: {},
    label_decorators: [],
    ...more,
  }
}

export function trackerWith(fields: TrackerField[], more: Partial<Tracker> = {}): Tracker {
  return {
    id: 1,
    uri: '',
    html_url: '',
    project: { id: 1, uri: '', label: '', icon: '' },
    label: '',
    description: '',
    item_name: '',
    fields,
    structure: [],
    semantics: {},
    workflow: null,
    permissions_for_groups: null,
    parent: null,
    resources: [],
    color_name: '',
    notifications: { enabled: true },
    rank_version: 0,
    in_new_dropdown: true,
    instructions: { submit: '', browse: '' },
    ...more,
  }
}
