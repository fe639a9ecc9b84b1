import { useQuery } from '@tanstack/react-query'
import type { TrackerField } from '@waypost/sdk/api'
import { useState } from 'react'
import {
  foundArtifactsQuery,
  matching,
  namedArtifactsQuery,
  ofTrackerFirst,
  parentsQuery,
  usedLinkTypesQuery,
} from '../../artifacts/link-queries.ts'
import { text } from '../../artifacts/messages.ts'
import { Pick } from '../../artifacts/pick.tsx'
import { SelectField } from '../../design/field.tsx'
import type { EditorProps } from '../field-type.ts'
import { type DraftLink, draftLinks } from './draft-links.ts'
import styles from './edit-links.module.css'

const PARENT_TYPE = '_is_child'

/** Edits links in both directions: the type of the next link, and the artifact at its other end. */
export function EditLinks({ tracker, field, draft, onChange, frame }: EditorProps) {
  const { field_id } = field
  const { data: used = [] } = useQuery(usedLinkTypesQuery(tracker.id))
  const kinds = usedFirst(kindsOf(field), used)
  const [kind, setKind] = useState(kinds[0]?.value ?? '')
  const [typed, setTyped] = useState('')
  const links = draftLinks(draft.all_links)
  const { data: named } = useQuery(namedArtifactsQuery(links.map(({ id }) => id)))
  const { data: matches = [] } = useQuery(foundArtifactsQuery(typed.trim()))
  const isParent = kind === `reverse ${PARENT_TYPE}`
  const { data: parents = [] } = useQuery({ ...parentsQuery(tracker.id), enabled: isParent })
  // Until there are words to search for, the likely parents are offered.
  const found = isParent && matches.length === 0 ? matching(parents, typed) : matches
  const change = (all_links: readonly DraftLink[]) => onChange({ field_id, all_links })
  const chosen = links.map((link) => ({ key: keyOf(link), label: nameOf(link, kinds, named?.get(link.id)) }))
  return (
    <div className={styles['links']}>
      <Pick
        {...frame}
        placeholder={text('links.search')}
        chosen={chosen}
        options={ofTrackerFirst(found, tracker.item_name).map(({ id, title, xref }) => ({
          key: `+${id}`,
          label: `${xref} ${title}`,
        }))}
        onTyped={setTyped}
        onAdd={({ key }) => {
          const [direction, type = ''] = kind.split(' ')
          const link: DraftLink = {
            id: Number(key),
            type,
            direction: direction === 'reverse' ? 'reverse' : 'forward',
          }
          if (!links.some((each) => keyOf(each) === keyOf(link))) change([...links, link])
        }}
        onRemove={(key) => change(links.filter((link) => keyOf(link) !== key))}
      />
      <SelectField label={text('links.kind')} value={kind} options={kinds} onChange={setKind} />
    </div>
  )
}

/** Types that links of the tracker have come first; each part stays in its order. */
function usedFirst(kinds: readonly Kind[], used: readonly string[]): readonly Kind[] {
  const isUsed = ({ value }: Kind) => used.includes(value.slice(value.indexOf(' ') + 1))
  return [...kinds.filter(isUsed), ...kinds.filter((kind) => !isUsed(kind))]
}

interface Kind {
  readonly value: string
  readonly label: string
}

/** Each link type in each direction that can be written. */
function kindsOf({ allowed_types: types = [], specific_properties: properties }: TrackerField): readonly Kind[] {
  const isBothWays = Number(properties['can_edit_reverse_links'] ?? 0) === 1
  const plain = { value: 'forward ', label: text('links.plain') }
  const typed = types
    .filter(({ shortname }) => shortname !== '')
    .flatMap(({ shortname, forward_label, reverse_label }) => [
      { value: `forward ${shortname}`, label: forward_label },
      ...(isBothWays ? [{ value: `reverse ${shortname}`, label: reverse_label }] : []),
    ])
  return [plain, ...typed]
}

function keyOf({ id, type, direction }: DraftLink): string {
  return `${direction} ${type} ${id}`
}

function nameOf(
  { id, type, direction }: DraftLink,
  kinds: readonly Kind[],
  artifact: { xref: string; title: string | null } | undefined,
): string {
  const what = artifact ? `${artifact.xref} ${artifact.title ?? ''}` : `#${id}`
  const kind = kinds.find(({ value }) => value === `${direction} ${type}`)?.label
  return type === '' || kind === undefined ? what : `${kind}: ${what}`
}
