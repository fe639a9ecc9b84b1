import { expect, test } from 'vitest'
import { removeFieldDependents, definitionProblems } from '../../../test/fixtures/changed-definition.ts'
import type { TrackerDefinition } from './schemas.ts'

test.each<[string, TrackerDefinition['elements'], unknown[]]>([
  ['an unknown type', [{ name: 'a', type: 'Encrypted', label: 'A' }], [['/elements/0/type', 'parameter_not_allowed']]],
  ['no type', [{ name: 'a', label: 'A' }], [['/elements/0/type', 'parameter_required']]],
  ['no label', [{ name: 'a', type: 'int' }], [['/elements/0/label', 'parameter_required']]],
  ['a bad name', [{ name: 'A b', type: 'int', label: 'A' }], [['/elements/0/name', 'name_invalid']]],
  [
    'one name twice',
    [
      { name: 'a', type: 'int', label: 'A' },
      { name: 'a', type: 'int', label: 'A' },
    ],
    [['/elements/1/name', 'name_taken']],
  ],
  [
    'a fieldset in a fieldset',
    [{ type: 'fieldset', label: 'A', content: [{ type: 'fieldset', label: 'B' }] }],
    [['/elements/0/content/0/type', 'parameter_not_allowed']],
  ],
  [
    'a column in a column',
    [{ type: 'column', label: 'A', content: [{ type: 'column', label: 'B' }] }],
    [['/elements/0/content/0/type', 'parameter_not_allowed']],
  ],
  [
    'something inside a field',
    [{ name: 'a', type: 'int', label: 'A', content: [] }],
    [['/elements/0/content', 'parameter_not_allowed']],
  ],
  [
    'two of which there is one',
    [
      { name: 'a', type: 'art_link', label: 'A' },
      { name: 'b', type: 'art_link', label: 'B' },
    ],
    [['/elements/1/type', 'duplicate_entry']],
  ],
  [
    'a setting that its type has not',
    [{ name: 'a', type: 'int', label: 'A', properties: { hint: 'x', maxchars: -1 } }],
    [
      ['/elements/0/properties/maxchars', 'parameter_out_of_range'],
      ['/elements/0/properties/hint', 'member_unknown'],
    ],
  ],
  [
    'a default that does not fit',
    [{ name: 'a', type: 'int', label: 'A', default: 'x' }],
    [['/elements/0/default', 'value_invalid', 'not_a_number']],
  ],
  [
    'what cannot be required',
    [{ name: 'a', type: 'aid', label: 'A', required: true }],
    [['/elements/0/required', 'parameter_not_allowed']],
  ],
  [
    'rights to write what nobody writes',
    [{ name: 'a', type: 'aid', label: 'A', permissions: { update: ['@members'] } }],
    [['/elements/0/permissions/update', 'parameter_not_allowed']],
  ],
  [
    'an unknown group',
    [{ name: 'a', type: 'int', label: 'A', permissions: { read: ['gods'] } }],
    [['/elements/0/permissions/read/0', 'reference_unknown']],
  ],
  [
    'values for what is no list',
    [{ name: 'a', type: 'int', label: 'A', bind: { type: 'static' } }],
    [['/elements/0/bind', 'parameter_not_allowed']],
  ],
  [
    'one key twice, and one that is reserved',
    [
      {
        name: 'a',
        type: 'sb',
        label: 'A',
        bind: {
          type: 'static',
          values: [
            { key: 'x', label: 'X' },
            { key: 'x', label: 'Y' },
            { key: '@none', label: 'Z' },
          ],
        },
      },
    ],
    [
      ['/elements/0/bind/values/1/key', 'name_taken'],
      ['/elements/0/bind/values/2/key', 'name_invalid'],
    ],
  ],
  [
    'values without label or with a strange colour',
    [
      {
        name: 'a',
        type: 'sb',
        label: 'A',
        bind: { type: 'static', values: [{ key: 'x' }, { label: 'Y', color: 'mauve' }] },
      },
    ],
    [
      ['/elements/0/bind/values/0/label', 'parameter_required'],
      ['/elements/0/bind/values/1/color', 'parameter_not_allowed'],
    ],
  ],
  [
    'two defaults of a list of one, or unknown ones',
    [
      { name: 'a', type: 'sb', label: 'A', bind: { type: 'static', values: [{ label: 'X' }], default: ['y'] } },
      {
        name: 'b',
        type: 'msb',
        label: 'B',
        bind: { type: 'users', sources: ['@members'], default: ['tom', 'ghost', 'sam'] },
      },
      { name: 'c', type: 'sb', label: 'C', bind: { type: 'ugroups', groups: ['@members'], default: ['gods'] } },
    ],
    [
      ['/elements/0/bind/default/0', 'reference_unknown', 'list_value_unknown'],
      ['/elements/1/bind/default/1', 'reference_unknown'],
      ['/elements/1/bind/default/2', 'user_not_usable'],
      ['/elements/2/bind/default/0', 'reference_unknown'],
    ],
  ],
  [
    'people from nowhere',
    [{ name: 'a', type: 'sb', label: 'A', bind: { type: 'users', sources: ['@anonymous', 'gods'] } }],
    [
      ['/elements/0/bind/sources/0', 'parameter_not_allowed'],
      ['/elements/0/bind/sources/1', 'reference_unknown'],
    ],
  ],
  [
    'a mirror of nothing',
    [{ name: 'a', shared_from: 'task.status', label: 'A' }],
    [['/elements/0/shared_from', 'reference_unknown']],
  ],
])('refuses elements with %s', (_, elements, problems) => {
  const found = definitionProblems((document) => {
    removeFieldDependents(document)
    document.elements = elements ?? []
    document.unused_elements = []
  })
  expect(found).toEqual(problems)
})
