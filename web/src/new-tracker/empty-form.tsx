import { useState } from 'react'
import { type ProjectPlace, useCreateTrackers } from './create-trackers.ts'
import { text } from './messages.ts'
import { NewTrackerForm } from './new-tracker-form.tsx'

/** A tracker with a title only: without one, artifacts would have no name. */
export function EmptyForm({ project }: { readonly project: ProjectPlace }) {
  const [names, setNames] = useState({ label: '', item_name: '' })
  const { create, failure, isBusy } = useCreateTrackers(project)
  const title = {
    name: 'title',
    type: 'string',
    label: text('new_tracker.empty.first_field'),
    required: true,
    properties: { maxchars: 255 },
  }
  return (
    <NewTrackerForm
      title={text('new_tracker.way.empty')}
      lead={text('new_tracker.empty.lead')}
      names={names}
      onNames={setNames}
      failure={failure}
      isBusy={isBusy}
      onSubmit={() => void create([{ ...names, elements: [title], semantics: { title: title.name } }])}
    />
  )
}
