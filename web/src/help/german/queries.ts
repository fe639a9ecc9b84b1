import type { HelpTopic } from '../help-topic.ts'

export const GERMAN_QUERIES_HELP: HelpTopic = {
  title: 'Abfragesprache',
  lead: 'Bedingungen an Felder, für den Filter einer Tabelle, für Berichte und für die API. Die Beispiele gelten in einem Tracker aus der Vorlage Bugs.',
  sections: [
    {
      title: 'Felder',
      text: 'Ein Feld wird mit seinem Namen genannt. Texte enthalten die angegebenen Wörter; Listen werden nach Beschriftung verglichen, Personen nach Login.',
      rows: [
        { code: 'title = "pump"', meaning: 'Der Titel enthält diesen Text', runs: 'query' },
        { code: 'description != "pump"', meaning: 'Die Beschreibung enthält ihn nicht', runs: 'query' },
        { code: 'severity = "Critical"', meaning: 'Dieser Wert ist gewählt', runs: 'query' },
        { code: 'status IN ("New", "Confirmed")', meaning: 'Einer dieser Werte ist gewählt', runs: 'query' },
        { code: 'severity NOT IN ("Cosmetic")', meaning: 'Keiner davon oder kein Wert', runs: 'query' },
        { code: 'assigned_to = ""', meaning: 'Kein Wert ist gewählt', runs: 'query' },
        { code: 'attachments = "log"', meaning: 'Der Name einer Datei enthält dies', runs: 'query' },
      ],
    },
    {
      title: 'Zahlen und Daten',
      text: 'Sie werden mit `=`, `!=`, `<`, `<=`, `>`, `>=` und `BETWEEN` verglichen. Ein Tag meint den ganzen Tag, in der eigenen Zeitzone. `NOW()` nimmt `d`, `w`, `m` und `y`: Tage, Wochen, Monate und Jahre. Eine Dauer steht in Anführungszeichen, etwa `"2h 30m"`.',
      rows: [
        {
          code: 'due_date BETWEEN("2026-01-01", "2026-12-31")',
          meaning: 'Ein Tag in diesem Zeitraum',
          runs: 'query',
        },
        { code: 'due_date < NOW()', meaning: 'Vor heute fällig', runs: 'query' },
        { code: '@submitted_on >= NOW() - 1m', meaning: 'Im letzten Monat angelegt', runs: 'query' },
      ],
    },
    {
      title: 'Felder jedes Trackers',
      text: 'Namen mit `@` bedeuten das Feld mit dieser Rolle. So gilt eine Abfrage auch in Trackern mit anderen Namen. Es gibt `@title`, `@description`, `@status`, `@assigned_to`, `@submitted_by`, `@submitted_on`, `@last_update_by`, `@last_update_date`, `@id` und `@comments`.',
      rows: [
        { code: '@status = OPEN()', meaning: 'Offene Artefakte', runs: 'query' },
        { code: '@assigned_to = MYSELF()', meaning: 'Mir selbst zugewiesen', runs: 'query' },
        { code: '@last_update_date > NOW() - 1w', meaning: 'In der letzten Woche geändert', runs: 'query' },
        { code: '@comments = "pump"', meaning: 'Ein Kommentar enthält diesen Text', runs: 'query' },
      ],
    },
    {
      title: 'Verknüpfungen',
      text: '`AND` bindet stärker als `OR`; Klammern ändern die Reihenfolge.',
      rows: [
        {
          code: '@status = OPEN() AND (severity = "Critical" OR priority = "Urgent")',
          meaning: 'Offen, und eines von beiden',
          runs: 'query',
        },
        { code: 'NOT (severity = "Cosmetic")', meaning: 'Das Gegenteil, auch ohne Wert', runs: 'query' },
        {
          code: '@status = OPEN() ORDER BY due_date, severity DESC',
          meaning: 'Sortiert nach bis zu drei Feldern',
          runs: 'query',
        },
        { code: '@status = OPEN() AS OF "2026-02-01"', meaning: 'An diesem Tag offen', runs: 'query' },
      ],
    },
    {
      title: 'Verweise auf Artefakte',
      text: 'Es zählen nur Verweise auf Artefakte, die man sehen darf.',
      rows: [
        { code: 'WITHOUT PARENT', meaning: 'Artefakte ohne übergeordnetes Artefakt', runs: 'query' },
        {
          code: 'WITH CHILDREN WHERE (@status = OPEN())',
          meaning: 'Artefakte mit mindestens einem offenen untergeordneten Artefakt',
          runs: 'query',
        },
        {
          code: 'WITH ALL CHILDREN WHERE (@status != OPEN())',
          meaning: 'Artefakte, deren untergeordnete alle geschlossen sind',
          runs: 'query',
        },
      ],
    },
  ],
}
