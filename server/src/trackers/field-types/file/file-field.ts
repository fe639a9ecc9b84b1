import { isDeepStrictEqual } from 'node:util'
import { Type } from 'typebox'
import type { FileId } from '../../../files/file.ts'
import { FileInfo } from '../../../files/represent-file.ts'
import { isId, toId } from '../../../platform/database/ids.ts'
import { xmlElement } from '../../../platform/wire/xml-element.ts'
import { parseClientNumber } from '../../binds/parse-list-input.ts'
import { storedIds } from '../../binds/stored-ids.ts'
import type { Condition, TextTest } from '../../search/condition.ts'
import { compareText } from '../../search/text-search.ts'
import type { Element } from '../../tracker.ts'
import { type AskedFile, type FieldType, ValueFault, type WriteItem } from '../field-type.ts'
import { NO_PROPERTIES } from '../properties.ts'
import { migrateToSameType } from '../same-type.ts'

const MOST_FILES = 1000

/** Files in the given order, stored as their ids. */
export const fileField: FieldType = {
  type: 'file',
  kind: 'field',
  schemaName: 'File',
  properties: NO_PROPERTIES,
  isWritable: true,
  canBeRequired: true,
  needs: ['files'],

  describe: ({ id }, { context }) => ({
    extra: {
      file_creation_uri: `tracker_fields/${id}/files`,
      max_size_upload: context.settings.current.upload_limit,
    },
  }),

  read(stored, _, { file }) {
    if (!Array.isArray(stored)) return undefined
    return { file_descriptions: storedFiles(stored).flatMap((id) => file(id) ?? []) }
  },
  blank: { stored: [] },
  readSchema: { file_descriptions: Type.Array(FileInfo) },

  writeSchema: {
    value: Type.Optional(Type.Array(Type.Integer(), { description: 'Ids of all files; excludes the others.' })),
    add: Type.Optional(Type.Array(Type.Integer())),
    remove: Type.Optional(Type.Array(Type.Integer())),
  },
  async write(item, element, writing) {
    const before = storedFiles(writing.stored)
    const files = asked(item, before)
    if (files.length > MOST_FILES)
      throw new ValueFault('value_invalid', {
        path: item.add === undefined ? 'value' : 'add',
        rule: 'max_length',
        cause: 'too_many',
        allowed: { maximum: MOST_FILES },
      })
    const come = files.filter(({ id }) => !before.includes(id))
    if (come.length > 0) await writing.attach(come, element)
    return files.map(({ id }) => id)
  },
  isEmpty: (stored) => storedFiles(stored).length === 0,
  isSame: (stored, given) => isDeepStrictEqual(storedFiles(stored), storedFiles(given)),

  // TQL only: criteria on files are ignored, as existing clients expect.
  search: {
    comparisons: ['=', '!='],
    async compare(comparison, element) {
      return compareText(comparison, (test) => attached(element, test))
    },
  },
  index: (stored) => ({ ids: storedFiles(stored) }),
  files: storedFiles,
  flat: (stored, _, { file }) => storedFiles(stored).flatMap((id) => file(id)?.name ?? []),
  migrate: migrateToSameType,
  archive: (stored) => ({
    attributes: { type: 'file' },
    content: storedFiles(stored).map((id) => xmlElement('value', { ref: `fileinfo_${id}` })),
  }),
}

function storedFiles(stored: unknown): FileId[] {
  return storedIds(stored).map((id) => toId<FileId>(id))
}

function attached({ id }: Element, test: TextTest): Condition {
  return 'contains' in test
    ? { kind: 'attached', field: id, contains: test.contains }
    : { kind: 'chosen_any', field: id }
}

/** The complete requested list: the given one, or the current one with `remove` and `add` applied. */
function asked({ value, add, remove }: WriteItem, before: readonly FileId[]): AskedFile[] {
  if (isThere(value)) {
    if (isThere(add) || isThere(remove))
      throw new ValueFault('value_invalid', { path: isThere(add) ? 'add' : 'remove', cause: 'file_forms_conflict' })
    return eachOnce(listed(value, 'value'))
  }
  if (!isThere(add) && !isThere(remove))
    throw new ValueFault('value_invalid', { path: 'value', rule: 'required', cause: 'value_missing' })
  const gone = new Set(isThere(remove) ? listed(remove, 'remove').map(({ id }) => id) : [])
  const kept = before.filter((id) => !gone.has(id)).map((id) => ({ id, path: 'add' }))
  return eachOnce([...kept, ...(isThere(add) ? listed(add, 'add') : [])])
}

function isThere(member: unknown): boolean {
  return member !== undefined && member !== null
}

function listed(given: unknown, path: string): AskedFile[] {
  // XML represents an empty list as an empty text.
  if (given === '') return []
  if (!Array.isArray(given)) throw new ValueFault('value_invalid', { path, rule: 'type', cause: 'not_an_array' })
  return given.map((each: unknown, at) => {
    const place = `${path}[${at}]`
    const id = parseClientNumber(each)
    if (id === undefined) throw new ValueFault('value_invalid', { path: place, rule: 'type', cause: 'not_a_number' })
    if (!isId<FileId>(id)) throw new ValueFault('not_found', { path: place, rule: 'exists', cause: 'file_not_found' })
    return { id, path: place }
  })
}

function eachOnce(files: readonly AskedFile[]): AskedFile[] {
  const seen = new Set<FileId>()
  return files.filter(({ id }) => !seen.has(id) && seen.add(id))
}
