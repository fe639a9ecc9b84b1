import type { SearchFacets } from '@waypost/sdk/api'
import { Avatar, NoAvatar, ProjectMark, TrackerMark } from '../design/marks.tsx'
import { text } from '../search/messages.ts'
import { Facet, FacetValue } from './facet.tsx'
import { CHANGED_DAYS, type SearchAddress, toggleFilter } from './search-address.ts'

interface Props {
  readonly facets: SearchFacets
  readonly address: SearchAddress
}

/** The values of each facet with the number of hits. A chosen value is removed by choosing it again. */
export function FacetList({ facets, address }: Props) {
  const { project, tracker, status, assignee, changed } = address
  return (
    <>
      <Facet title={text('search.projects')}>
        {facets.projects.map(({ project: { id, label, icon }, count }) => (
          <FacetValue key={id} to={toggleFilter(address, { project: id })} isOn={project === id} count={count}>
            <ProjectMark id={id} label={label} icon={icon} />
            {label}
          </FacetValue>
        ))}
      </Facet>
      <Facet title={text('search.trackers')}>
        {facets.trackers.map(({ tracker: { id, label, color_name }, count }) => (
          <FacetValue key={id} to={toggleFilter(address, { tracker: id })} isOn={tracker === id} count={count}>
            <TrackerMark label={label} color={color_name} />
            {label}
          </FacetValue>
        ))}
      </Facet>
      <Facet title={text('search.status')}>
        {facets.is_open.toSorted(openFirst).map(({ is_open, count }) => {
          const value = is_open ? 'open' : 'closed'
          return (
            <FacetValue key={value} to={toggleFilter(address, { status: value })} isOn={status === value} count={count}>
              {text(`search.${value}`)}
            </FacetValue>
          )
        })}
      </Facet>
      <Facet title={text('search.assignees')}>
        {facets.assignees.map(({ user, count }) => {
          const id = user?.id ?? 0
          const name = user ? (user.real_name ?? user.display_name) : text('search.unassigned')
          return (
            <FacetValue key={id} to={toggleFilter(address, { assignee: id })} isOn={assignee === id} count={count}>
              {user ? <Avatar person={{ id, name }} size={20} /> : <NoAvatar size={20} />}
              {name}
            </FacetValue>
          )
        })}
      </Facet>
      <Facet title={text('search.dates')}>
        {CHANGED_DAYS.map((days) => (
          <FacetValue
            key={days}
            to={toggleFilter(address, { changed: days })}
            isOn={changed === days}
            count={facets.changed_within.find((each) => each.days === days)?.count ?? 0}
          >
            {text(`search.within_${days}`)}
          </FacetValue>
        ))}
      </Facet>
    </>
  )
}

const openFirst = (one: { readonly is_open: boolean }, other: { readonly is_open: boolean }) =>
  Number(other.is_open) - Number(one.is_open)
