import { type Static, type TProperties, Type } from 'typebox'
import { matchesSchema } from '../../platform/wire/schema-shape.ts'
import { TEMPLATE_NAMES } from '../templates/tracker-templates.ts'
import { BUCKETS, DATE_COMPARATORS } from '../tracker.ts'

// The schema checks the form only. The parsers check required members and references, to report every problem at once.
const MAX_ITEMS = 1000
const Name = Type.String({ maxLength: 255 })
const Text = Type.String({ maxLength: 65_535 })
const Names = Type.Array(Name, { maxItems: MAX_ITEMS })

function strict<Properties extends TProperties>(
  properties: Properties,
  options: { title?: string; description?: string } = {},
) {
  return Type.Object(properties, { additionalProperties: false, ...options })
}

export const ValueLimit = Type.Union([Type.Integer({ minimum: 1, maximum: 10_000 }), Type.Null()], {
  description: 'The most artifacts that its column of a board should hold; null: no limit.',
})

const ListValue = strict(
  {
    key: Type.Optional(
      Type.String({ maxLength: 255, description: 'Unique in the field; defaults to a slug of the label.' }),
    ),
    label: Type.Optional(Name),
    description: Type.Optional(Text),
    color: Type.Optional(Type.Union([Name, Type.Null()], { description: 'A palette name, or `#rrggbb`.' })),
    hidden: Type.Optional(Type.Boolean()),
    limit: Type.Optional(ValueLimit),
    renamed_from: Type.Optional(Type.String({ maxLength: 255, description: 'The previous key.' })),
  },
  { title: 'ListValueDefinition' },
)
export type ListValueDocument = Static<typeof ListValue>

const StaticBind = strict(
  {
    type: Type.Literal('static'),
    alphabetical: Type.Optional(Type.Boolean()),
    values: Type.Optional(Type.Array(ListValue, { maxItems: 10_000 })),
    default: Type.Optional(Names),
  },
  { title: 'StaticListDefinition' },
)
const UsersBind = strict(
  {
    type: Type.Literal('users'),
    sources: Type.Optional(Names),
    default: Type.Optional(Names),
  },
  { title: 'UserListDefinition' },
)
const GroupsBind = strict(
  {
    type: Type.Literal('ugroups'),
    groups: Type.Optional(Names),
    default: Type.Optional(Names),
  },
  { title: 'GroupListDefinition' },
)
export const BindDocument = Type.Union([StaticBind, UsersBind, GroupsBind])
export type BindDocument = Static<typeof BindDocument>

const element = {
  name: Type.Optional(Type.String({ maxLength: 255, description: 'Unique in the tracker.' })),
  type: Type.Optional(Name),
  label: Type.Optional(Name),
  description: Type.Optional(Text),
  required: Type.Optional(Type.Boolean()),
  notifications: Type.Optional(Type.Boolean()),
  properties: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'The settings of its type.' })),
  default: Type.Optional(Type.Unknown({ description: 'The default value of a new artifact. For lists, use `bind`.' })),
  bind: Type.Optional(Type.Union([BindDocument, Type.Null()])),
  permissions: Type.Optional(
    Type.Union([
      strict({ read: Type.Optional(Names), submit: Type.Optional(Names), update: Type.Optional(Names) }),
      Type.Null(),
    ]),
  ),
  shared_from: Type.Optional(
    Type.Union([Name, Type.Null()], { description: '`tracker.field`: the original of a shared field.' }),
  ),
  renamed_from: Type.Optional(Type.String({ maxLength: 255, description: 'The previous name.' })),
}

export interface ElementDocument extends Static<ReturnType<typeof strict<typeof element>>> {
  content?: ElementDocument[] | null
}

// One level deeper than a form may be, so that the parser reports the violation.
const Deepest = strict(
  {
    ...element,
    content: Type.Optional(Type.Union([Type.Array(strict({}), { maxItems: 0 }), Type.Null()])),
  },
  { title: 'TrackerElement4' },
)
const Deep = strict(
  { ...element, content: Type.Optional(Type.Union([Type.Array(Deepest), Type.Null()])) },
  { title: 'TrackerElement3' },
)
const Inner = strict(
  { ...element, content: Type.Optional(Type.Union([Type.Array(Deep), Type.Null()])) },
  { title: 'TrackerElement2' },
)
const Element = strict(
  { ...element, content: Type.Optional(Type.Union([Type.Array(Inner), Type.Null()])) },
  { title: 'TrackerElement' },
)

const Settings = strict(
  {
    submit_instructions: Type.Optional(Text),
    browse_instructions: Type.Optional(Text),
    allow_copy: Type.Optional(Type.Boolean()),
    instantiate_for_new_projects: Type.Optional(Type.Boolean()),
    log_priority_changes: Type.Optional(Type.Boolean()),
    notifications_level: Type.Optional(Type.Enum(['all', 'none', 'status_change'])),
    private_comments: Type.Optional(Type.Boolean()),
    in_new_dropdown: Type.Optional(Type.Boolean()),
    allow_move: Type.Optional(Type.Boolean()),
    allow_deletion: Type.Optional(Type.Boolean()),
    require_precondition: Type.Optional(Type.Boolean()),
  },
  { title: 'TrackerSettings' },
)

const field = Type.Optional(Type.Union([Name, Type.Null()]))
const Semantics = strict(
  {
    title: field,
    description: field,
    status: Type.Optional(Type.Union([strict({ field: Name, open: Names }), Type.Null()])),
    contributor: field,
    timeframe: Type.Optional(
      Type.Union([
        strict({ start: Name, duration: Name }),
        strict({ start: Name, end: Name }),
        strict({ implied_from: Type.String({ maxLength: 512 }) }),
        Type.Null(),
      ]),
    ),
    progress: Type.Optional(
      Type.Union([strict({ total: Name, remaining: Name }), strict({ link_type: Name }), Type.Null()]),
    ),
    initial_effort: field,
    done: Type.Optional(Type.Union([Names, Type.Null()], { description: 'Closed values of the status.' })),
    tooltip: Type.Optional(Names),
  },
  { title: 'SemanticsDefinition' },
)
export type SemanticsDocument = Static<typeof Semantics>

const Conditions = strict(
  {
    groups: Type.Optional(Names),
    not_empty: Type.Optional(Names),
    comment: Type.Optional(Type.Boolean()),
  },
  { title: 'ConditionsDefinition' },
)
export const ActionDocument = Type.Union([
  strict({
    type: Type.Literal('set_field_value'),
    field: Name,
    value: Type.Union([Type.Number(), Type.String({ maxLength: 255 }), Type.Null()]),
  }),
  strict({ type: Type.Literal('run_job'), job_url: Type.String({ maxLength: 2048 }) }),
  strict({ type: Type.Literal('frozen_fields'), fields: Names }),
  strict({ type: Type.Literal('hidden_fieldsets'), fieldsets: Names }),
])
export type ActionDocument = Static<typeof ActionDocument>

const step = {
  conditions: Type.Optional(Type.Union([Conditions, Type.Null()])),
  actions: Type.Optional(Type.Array(ActionDocument, { maxItems: MAX_ITEMS })),
}
const Workflow = strict(
  {
    field: Name,
    used: Type.Optional(Type.Boolean()),
    mode: Type.Optional(Type.Enum(['simple', 'advanced'])),
    states: Type.Optional(Type.Array(strict({ to: Name, from: Names, ...step }), { maxItems: MAX_ITEMS })),
    transitions: Type.Optional(Type.Array(strict({ from: Name, to: Name, ...step }), { maxItems: 10_000 })),
  },
  { title: 'WorkflowDefinition' },
)
export type WorkflowDocument = Static<typeof Workflow>
export interface StepDocument {
  conditions?: Static<typeof Conditions> | null
  actions?: ActionDocument[]
}

const Rules = strict(
  {
    dates: Type.Optional(
      Type.Array(strict({ source: Name, comparator: Type.Enum([...DATE_COMPARATORS]), target: Name }), {
        maxItems: MAX_ITEMS,
      }),
    ),
    lists: Type.Optional(
      Type.Array(strict({ source: Name, target: Name, allow: Type.Record(Type.String(), Names) }), {
        maxItems: MAX_ITEMS,
      }),
    ),
  },
  { title: 'RulesDefinition' },
)
export type RulesDocument = Static<typeof Rules>

const Trigger = strict(
  {
    target: strict({ field: Name, value: Name }),
    condition: Type.Enum(['at_least_one', 'all_of']),
    when: Type.Array(strict({ tracker: Type.String({ maxLength: 512 }), field: Name, value: Name }), {
      maxItems: MAX_ITEMS,
    }),
  },
  { title: 'TriggerDefinition' },
)
export type TriggerDocument = Static<typeof Trigger>

// Charts have additional members.
const Renderer = Type.Object(
  {
    type: Type.String({ maxLength: 255, description: '`table`, or a chart.' }),
    label: Type.Optional(Name),
    columns: Type.Optional(Names),
    page_size: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
    sort: Type.Optional(Type.Array(strict({ field: Name, direction: Type.Enum(['asc', 'desc']) }), { maxItems: 10 })),
    column_widths: Type.Optional(
      Type.Array(strict({ field: Name, width: Type.Integer({ minimum: 40, maximum: 2000 }) }), { maxItems: 100 }),
    ),
    grouped_by: Type.Optional(
      Type.Union([strict({ field: Name, bucket: Type.Optional(Type.Enum([...BUCKETS])) }), Type.Null()]),
    ),
  },
  { additionalProperties: true, title: 'RendererDefinition' },
)
export type RendererDocument = Static<typeof Renderer>

const Criterion = strict(
  {
    field: Name,
    operator: Type.Optional(Type.Union([Name, Type.Null()], { description: '`contains` by default.' })),
    value: Type.Optional(
      Type.Unknown({ description: 'As in the criteria of a search; list values by key. Absent: any value.' }),
    ),
  },
  { title: 'CriterionDefinition' },
)
export type CriterionDocument = Static<typeof Criterion>

export const ReportDefinition = strict(
  {
    label: Name,
    description: Type.Optional(Text),
    public: Type.Optional(
      Type.Boolean({
        description: 'Public reports belong to the tracker, private ones to their creator.',
      }),
    ),
    default: Type.Optional(Type.Boolean({ description: 'At most one public report is the default.' })),
    expert_query: Type.Optional(Type.Union([Text, Type.Null()], { description: 'Instead of criteria.' })),
    criteria: Type.Optional(Type.Array(Criterion, { maxItems: MAX_ITEMS })),
    renderers: Type.Optional(Type.Array(Renderer, { maxItems: 100 })),
  },
  { title: 'ReportDefinition' },
)
export type ReportDocument = Static<typeof ReportDefinition>

const WebhookDefinition = strict({
  url: Type.String({ maxLength: 2048 }),
  events: Type.Optional(Type.Array(Type.String({ maxLength: 50 }), { minItems: 1, maxItems: 50 })),
  format: Type.Optional(Type.Enum(['form', 'json'])),
})

export const TrackerDefinition = strict(
  {
    format: Type.Optional(Type.Literal('waypost-tracker/1')),
    label: Type.Optional(Type.String({ trim: true, maxLength: 255 })),
    item_name: Type.Optional(Type.String({ maxLength: 255, description: 'Letters, digits and `_`.' })),
    description: Type.Optional(Text),
    color_name: Type.Optional(Name),
    settings: Type.Optional(Settings),
    hierarchy: Type.Optional(
      strict({ parent: Type.Optional(Type.Union([Type.String({ maxLength: 512 }), Type.Null()])) }),
    ),
    permissions: Type.Optional(
      strict({
        full: Type.Optional(Names),
        submitted_by_user: Type.Optional(Names),
        submitted_by_group: Type.Optional(Names),
        assigned_to_group: Type.Optional(Names),
        admin: Type.Optional(Names),
      }),
    ),
    elements: Type.Optional(Type.Array(Element, { maxItems: MAX_ITEMS })),
    unused_elements: Type.Optional(Type.Array(Element, { maxItems: MAX_ITEMS })),
    semantics: Type.Optional(Semantics),
    workflow: Type.Optional(Type.Union([Workflow, Type.Null()])),
    rules: Type.Optional(Rules),
    triggers: Type.Optional(Type.Array(Trigger, { maxItems: MAX_ITEMS })),
    reports: Type.Optional(Type.Array(ReportDefinition, { maxItems: MAX_ITEMS })),
    canned_responses: Type.Optional(Type.Array(strict({ title: Name, body: Text }), { maxItems: MAX_ITEMS })),
    webhooks: Type.Optional(Type.Array(WebhookDefinition, { maxItems: 100 })),
  },
  { title: 'TrackerDefinition', description: 'A complete tracker without ids.' },
)
export type TrackerDefinition = Static<typeof TrackerDefinition>

export function isDefinition(value: unknown): value is TrackerDefinition {
  return matchesSchema(TrackerDefinition, value)
}

/** The body schema for the API description only; the handler validates it and reports every problem with its path. */
export const DefinitionBody = Type.Unsafe<unknown>(TrackerDefinition)

/** A definition, the tracker to copy, or the name of a template. */
export const NewTracker = Type.Unsafe<unknown>(
  strict({
    ...TrackerDefinition.properties,
    copy_from: Type.Optional(
      Type.Object(
        { id: Type.Integer({ minimum: 1 }) },
        { description: 'The tracker to copy; only `label` and `item_name` may be given with it.' },
      ),
    ),
    template: Type.Optional(
      Type.Enum([...TEMPLATE_NAMES], {
        description: 'The template to use; only `label` and `item_name` may be given with it.',
      }),
    ),
  }),
)
