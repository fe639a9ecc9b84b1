import type { HelpTopic } from '../help-topic.ts'

export const GERMAN_WORKFLOW_HELP: HelpTopic = {
  title: 'Workflow',
  lead: 'Ein Workflow legt fest, welcher Status auf welchen folgen darf, wer ihn ändern darf und was dann geschieht.',
  sections: [
    {
      title: 'Einen Status ändern',
      text: 'Ein Klick auf den Status, `s` auf einer Zeile, einer Karte oder einem Artefakt, oder das Ziehen einer Karte des Boards ändert ihn. Ein Status, der nicht erlaubt ist, bleibt sichtbar, blass und mit dem Grund. Eine Änderung kann rückgängig gemacht werden, wenn der Workflow den Rückweg erlaubt.',
    },
    {
      title: 'Bedingungen',
      text: 'Ein Übergang kann einen Kommentar, Werte in bestimmten Feldern oder die Mitgliedschaft in einer Gruppe verlangen. Auswahl und Board nennen die Bedingung, die nicht erfüllt ist.',
    },
    {
      title: 'Automatische Aktionen',
      text: 'Ein Übergang kann ein Datum oder eine Zahl setzen, etwa den Tag, an dem ein Artefakt geschlossen wurde, und eine Adresse eines anderen Systems aufrufen. In einem Zustand können bestimmte Felder vor Änderungen geschützt und Gruppen von Feldern ausgeblendet sein.',
    },
    {
      title: 'Einen Workflow festlegen',
      text: 'Administratoren eines Trackers öffnen dessen Verwaltung und dann den Workflow. Der Graph zeigt alle Zustände und Übergänge; die Tabelle darunter hat für jeden Übergang ein Kontrollkästchen. Änderungen werden zuerst geplant: Bevor sie gelten, ist zu sehen, wie viele Artefakte sie betreffen. Der Workflow eines Trackers aus einer Vorlage kann geändert werden.',
    },
    {
      title: 'Regeln neben dem Workflow',
      text: 'Unter Regeln können die Werte einer Liste von einer anderen Liste abhängen, und zwei Daten können verglichen werden, etwa Beginn und Ende. Ein Auslöser setzt einen Wert eines übergeordneten Artefakts, wenn eines oder alle untergeordneten einen Zustand erreichen.',
    },
  ],
}
