import type { HelpTopic } from '../help-topic.ts'

export const QUERIES_HELP: HelpTopic = {
  title: 'Query language',
  lead: 'Conditions on fields, for the filter of a table, for reports and for the API. The examples work in a tracker from the template Bugs.',
  sections: [
    {
      title: 'Fields',
      text: 'A field is called by its name. Texts contain the given words; lists are compared by label, people by login.',
      rows: [
        { code: 'title = "pump"', meaning: 'The title contains this text', runs: 'query' },
        { code: 'description != "pump"', meaning: 'The description does not contain it', runs: 'query' },
        { code: 'severity = "Critical"', meaning: 'This value is chosen', runs: 'query' },
        { code: 'status IN ("New", "Confirmed")', meaning: 'One of these values is chosen', runs: 'query' },
        { code: 'severity NOT IN ("Cosmetic")', meaning: 'None of these, or no value', runs: 'query' },
        { code: 'assigned_to = ""', meaning: 'No value is chosen', runs: 'query' },
        { code: 'attachments = "log"', meaning: 'A file has this in its name', runs: 'query' },
      ],
    },
    {
      title: 'Numbers and dates',
      text: 'They are compared by `=`, `!=`, `<`, `<=`, `>`, `>=` and `BETWEEN`. A day means the whole day, in your time zone. `NOW()` takes `d`, `w`, `m` and `y`: days, weeks, months and years. A duration stands in quotes, as `"2h 30m"`.',
      rows: [
        { code: 'due_date BETWEEN("2026-01-01", "2026-12-31")', meaning: 'A day in this range', runs: 'query' },
        { code: 'due_date < NOW()', meaning: 'Due before today', runs: 'query' },
        { code: '@submitted_on >= NOW() - 1m', meaning: 'Created in the last month', runs: 'query' },
      ],
    },
    {
      title: 'Fields of every tracker',
      text: 'Names with `@` mean the field with this role, so a query works in trackers with other names too. There are `@title`, `@description`, `@status`, `@assigned_to`, `@submitted_by`, `@submitted_on`, `@last_update_by`, `@last_update_date`, `@id` and `@comments`.',
      rows: [
        { code: '@status = OPEN()', meaning: 'Open artifacts', runs: 'query' },
        { code: '@assigned_to = MYSELF()', meaning: 'Assigned to you', runs: 'query' },
        { code: '@last_update_date > NOW() - 1w', meaning: 'Changed in the last week', runs: 'query' },
        { code: '@comments = "pump"', meaning: 'A comment contains this text', runs: 'query' },
      ],
    },
    {
      title: 'Combinations',
      text: '`AND` binds tighter than `OR`; use brackets for another order.',
      rows: [
        {
          code: '@status = OPEN() AND (severity = "Critical" OR priority = "Urgent")',
          meaning: 'Open, and one of the two',
          runs: 'query',
        },
        { code: 'NOT (severity = "Cosmetic")', meaning: 'The opposite, including no value', runs: 'query' },
        {
          code: '@status = OPEN() ORDER BY due_date, severity DESC',
          meaning: 'Sorted by up to three fields',
          runs: 'query',
        },
        { code: '@status = OPEN() AS OF "2026-02-01"', meaning: 'Open on that day', runs: 'query' },
      ],
    },
    {
      title: 'Links',
      text: 'Only links to artifacts that you may see count.',
      rows: [
        { code: 'WITHOUT PARENT', meaning: 'Artifacts without a parent', runs: 'query' },
        {
          code: 'WITH CHILDREN WHERE (@status = OPEN())',
          meaning: 'Artifacts with at least one open child',
          runs: 'query',
        },
        {
          code: 'WITH ALL CHILDREN WHERE (@status != OPEN())',
          meaning: 'Artifacts whose children are all closed',
          runs: 'query',
        },
      ],
    },
  ],
}
