import { expect, test } from 'vitest'
import { definitionProblems } from '../../../test/fixtures/changed-definition.ts'
import type { TrackerDefinition } from './schemas.ts'

test.each<[string, NonNullable<TrackerDefinition['workflow']>, unknown[]]>([
  ['a list of many', { field: 'box', states: [] }, [['/workflow/field', 'parameter_not_allowed']]],
  ['a list of people', { field: 'driver', states: [] }, [['/workflow/field', 'parameter_not_allowed']]],
  [
    'unknown values, and None',
    { field: 'status', states: [{ to: '@none', from: ['lost'] }] },
    [
      ['/workflow/states/0/from/0', 'reference_unknown'],
      ['/workflow/states/0/to', 'reference_unknown'],
    ],
  ],
  [
    'a way from a value to itself',
    { field: 'status', states: [{ to: 'open', from: ['open'] }] },
    [['/workflow/states/0/from/0', 'parameter_conflict']],
  ],
  [
    'one state twice',
    {
      field: 'status',
      states: [
        { to: 'open', from: ['@new'] },
        { to: 'open', from: ['loaded'] },
      ],
    },
    [['/workflow/states/1/to', 'duplicate_entry']],
  ],
  [
    'one transition twice',
    {
      field: 'status',
      mode: 'advanced',
      transitions: [
        { from: '@new', to: 'open' },
        { from: '@new', to: 'open' },
      ],
    },
    [['/workflow/transitions/1/from', 'duplicate_entry']],
  ],
  [
    'what belongs to the other mode',
    { field: 'status', mode: 'advanced', states: [], transitions: [] },
    [['/workflow/states', 'parameter_conflict']],
  ],
  [
    'frozen fields in advanced mode',
    {
      field: 'status',
      mode: 'advanced',
      transitions: [{ from: '@new', to: 'open', actions: [{ type: 'frozen_fields', fields: ['summary'] }] }],
    },
    [['/workflow/transitions/0/actions/0/type', 'rule_violated', 'workflow_mode']],
  ],
  [
    'actions on what they cannot act on',
    {
      field: 'status',
      states: [
        {
          to: 'open',
          from: ['@new'],
          conditions: { groups: ['gods'], not_empty: ['number'] },
          actions: [
            { type: 'set_field_value', field: 'summary', value: '' },
            { type: 'set_field_value', field: 'days', value: 1.5 },
            { type: 'frozen_fields', fields: ['status', 'fruit'] },
            { type: 'hidden_fieldsets', fieldsets: ['summary'] },
            { type: 'run_job', job_url: 'job' },
          ],
        },
      ],
    },
    [
      ['/workflow/states/0/conditions/groups/0', 'reference_unknown'],
      ['/workflow/states/0/conditions/not_empty/0', 'parameter_not_allowed'],
      ['/workflow/states/0/actions/0/field', 'parameter_not_allowed'],
      ['/workflow/states/0/actions/1/value', 'parameter_invalid'],
      ['/workflow/states/0/actions/2/fields/0', 'parameter_not_allowed'],
      ['/workflow/states/0/actions/2/fields/1', 'parameter_not_allowed'],
      ['/workflow/states/0/actions/3/fieldsets/0', 'parameter_not_allowed'],
      ['/workflow/states/0/actions/4/job_url', 'parameter_invalid'],
    ],
  ],
  [
    'a field that two actions set',
    {
      field: 'status',
      states: [
        {
          to: 'open',
          from: ['@new'],
          actions: [
            { type: 'set_field_value', field: 'days', value: 1 },
            { type: 'set_field_value', field: 'weight', value: 1.5 },
            { type: 'set_field_value', field: 'days', value: 2 },
          ],
        },
      ],
    },
    [['/workflow/states/0/actions/2', 'duplicate_entry']],
  ],
])('refuses a workflow with %s', (_, workflow, problems) => {
  expect(definitionProblems((document) => void (document.workflow = workflow))).toEqual(problems)
})
