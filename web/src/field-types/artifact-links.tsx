import type { AnyValueItem as ValueItem } from '@waypost/sdk/api'
import { ArtifactLink } from '../artifacts/artifact-link.tsx'
import { Swatch } from '../design/swatch.tsx'
import type { ArtifactRelation, FieldEditing, FieldType, PageViewProps, ValueDraft } from './field-type.ts'
import { draftLinks } from './parts/draft-links.ts'
import { EditLinks } from './parts/edit-links.tsx'
import { EQUALITY_FILTER } from './parts/filters.ts'
import { isParentLink, LinkedArtifacts, linkTypeText } from './parts/linked-artifacts.tsx'
import { Nothing } from './parts/nothing.tsx'
import styles from './parts/values.module.css'
import type { LinkDescription, LinkValue } from './values.ts'

const editing: FieldEditing<LinkValue> = {
  toDraft: ({ field_id }, value) => ({
    field_id,
    all_links: draftLinks([
      ...(value?.links ?? []).map((link) => ({ ...link, direction: 'forward' })),
      ...(value?.reverse_links ?? []).map((link) => ({ ...link, direction: 'reverse' })),
    ]),
  }),
  defaultDraft: ({ field_id }) => ({ field_id, all_links: [] }),
  // Names of artifacts come with the response.
  optimistic: (_field, _draft, stored) => stored,
  Editor: EditLinks,
  toItem,
  isNeverBulk: true,
}

export const artifactLinks: FieldType<LinkValue> = {
  type: 'art_link',
  kind: 'field',
  isWide: true,
  hasOwnHeadings: true,
  isEmpty: (value) => relations(value).length === 0,
  show: (value, field) => (
    <ul className={styles['list']}>
      {relations(value).map((link) => (
        <li key={`${link.direction} ${link.id}`}>
          <Swatch color={link.color} />
          <ArtifactLink id={link.id}>
            {link.tracker} #{link.id}
          </ArtifactLink>{' '}
          <small>{linkTypeText(link, field)}</small>
        </li>
      ))}
    </ul>
  ),
  showShort: (value) => names(value).join(', '),
  PageView: LinksOfArtifact,
  entries: names,
  isCollection: true,
  links: relations,
  editing,
  column: { width: 8.5 },
  filter: EQUALITY_FILTER,
  isSingle: true,
  canBeRequired: true,
  settings: [{ name: 'can_edit_reverse_links', kind: 'flag', isSetByDefault: true }],
}

/** Without the parent, which the page shows above the title. */
function LinksOfArtifact({ field, value }: PageViewProps<LinkValue>) {
  const links = value ? relations(value).filter((link) => !isParentLink(link)) : []
  return links.length === 0 ? <Nothing /> : <LinkedArtifacts links={links} field={field} />
}

function names(value: LinkValue): readonly string[] {
  return relations(value).map(({ tracker, id }) => `${tracker} #${id}`)
}

function relations({ links = [], reverse_links = [] }: LinkValue): readonly ArtifactRelation[] {
  return [
    ...links.flatMap((link) => toRelation(link, 'forward')),
    ...reverse_links.flatMap((link) => toRelation(link, 'reverse')),
  ]
}

function toRelation({ id, type, tracker }: LinkDescription, direction: ArtifactRelation['direction']) {
  return tracker ? [{ id, tracker: tracker.label, color: tracker.color, type: type ?? '', direction }] : []
}

/** Replaces only the field's own links if reverse links are unchanged. */
function toItem(draft: ValueDraft, stored: ValueDraft): ValueItem {
  const { field_id } = draft
  const reverse = (links: unknown) =>
    JSON.stringify(draftLinks(links).filter(({ direction }) => direction === 'reverse'))
  if (reverse(draft.all_links) !== reverse(stored.all_links)) return draft
  const own = draftLinks(draft.all_links).filter(({ direction }) => direction === 'forward')
  return { field_id, links: own.map(({ id, type }) => ({ id, type })) }
}
