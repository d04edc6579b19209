// The words of the page, by language.

const pageWords = {
  en: {
    required: "Please answer this question.", number: "Please enter a number.", whole: "Please enter a whole number.",
    date: "Please enter a date.", place: "Please enter a longitude and a latitude.",
    tooLong: (count) => `At most ${count} characters.`, atLeast: (text) => `At least ${text}.`,
    atMost: (text) => `At most ${text}.`, notBefore: (text) => `Not before ${text}.`,
    notAfter: (text) => `Not after ${text}.`, atLeastEntries: (count) => `At least ${count} entries.`,
    atMostEntries: (count) => `At most ${count} entries.`, save: "Save record", newRecord: "New record",
    records: "Records on this device", none: "No record yet.", edit: "Edit", remove: "Delete", exportAll: "Export all",
    add: "Add an entry", removeEntry: "Remove this entry", yes: "Yes", no: "No", choose: "Choose …",
    saved: "The record is saved on this device.", draft: "A draft is kept.", language: "Language",
    faults: (count) => count === 1 ? "One answer needs a change." : `${count} answers need a change.`,
    removed: "The record is deleted.", confirmRemove: "Delete this record from this device?", optional: "optional",
    space: "Space", photo: "Only a reference to the photo is stored: its checksum and size.",
    incomplete: "not complete", version: "Version", noStore: "This browser keeps no records here. Export before you close the page.",
    valid: "These answers are valid.", more: (count) => `Show more (${count})`, notSent: "not sent yet", refused: "refused by the server", syncNow: "Exchange now",
    syncing: "Exchanging records …", synced: (time) => `All records are exchanged (${time}).`,
    waiting: (count) => count === 1 ? "One change waits to be sent." : `${count} changes wait to be sent.`,
    offline: "No network. Records are sent when there is one.", notSynced: "The server cannot take records now.",
    keyTitle: "Open a form", key: "Key", open: "Open", keyRefused: "The server does not accept the key.",
    linkEnded: "The access has ended. Open the form again from the app that showed it: the records are sent then.",
    offlineFirst: "The form has to be opened with a network once.", conflict: "Two devices changed this record",
    conflictNote: "Choose an answer for each question. What only one device changed is chosen already.",
    twoStates: "Compare", state: "State", deleted: "deleted", deletedElsewhere: "The record was deleted on another device",
    keepRecord: "Keep the record", chooseEach: "Choose an answer for each question.", solve: "Save this state", later: "Later",
    solved: "The record has one state again.", noAnswer: "no answer",
    entries: (count) => count === 1 ? "one entry" : `${count} entries`,
  },
  de: {
    required: "Bitte beantworten Sie diese Frage.", number: "Bitte geben Sie eine Zahl ein.",
    whole: "Bitte geben Sie eine ganze Zahl ein.", date: "Bitte geben Sie ein Datum ein.",
    place: "Bitte geben Sie eine Länge und eine Breite ein.", tooLong: (count) => `Höchstens ${count} Zeichen.`,
    atLeast: (text) => `Mindestens ${text}.`, atMost: (text) => `Höchstens ${text}.`,
    notBefore: (text) => `Nicht vor dem ${text}.`, notAfter: (text) => `Nicht nach dem ${text}.`,
    atLeastEntries: (count) => `Mindestens ${count} Einträge.`, atMostEntries: (count) => `Höchstens ${count} Einträge.`,
    save: "Datensatz speichern", newRecord: "Neuer Datensatz", records: "Datensätze auf diesem Gerät",
    none: "Noch kein Datensatz.", edit: "Bearbeiten", remove: "Löschen", exportAll: "Alle exportieren",
    add: "Eintrag hinzufügen", removeEntry: "Diesen Eintrag entfernen", yes: "Ja", no: "Nein", choose: "Auswählen …",
    saved: "Der Datensatz ist auf diesem Gerät gespeichert.", draft: "Ein Entwurf ist gespeichert.", language: "Sprache",
    faults: (count) => count === 1 ? "Eine Antwort muss geändert werden." : `${count} Antworten müssen geändert werden.`,
    removed: "Der Datensatz ist gelöscht.", confirmRemove: "Diesen Datensatz von diesem Gerät löschen?",
    optional: "freiwillig", space: "Raum", photo: "Gespeichert wird nur ein Verweis auf das Foto: Prüfsumme und Größe.",
    incomplete: "unvollständig", version: "Version",
    noStore: "Dieser Browser behält hier keine Datensätze. Exportieren Sie, bevor Sie die Seite schließen.",
    valid: "Diese Antworten sind gültig.", more: (count) => `Mehr anzeigen (${count})`, notSent: "noch nicht gesendet", refused: "vom Server abgelehnt",
    syncNow: "Jetzt abgleichen", syncing: "Datensätze werden abgeglichen …",
    synced: (time) => `Alle Datensätze sind abgeglichen (${time}).`,
    waiting: (count) => count === 1 ? "Eine Änderung ist noch nicht gesendet." : `${count} Änderungen sind noch nicht gesendet.`,
    offline: "Kein Netz. Datensätze werden gesendet, sobald es eines gibt.",
    notSynced: "Der Server nimmt gerade keine Datensätze an.", keyTitle: "Formular öffnen", key: "Schlüssel", open: "Öffnen",
    keyRefused: "Der Server nimmt den Schlüssel nicht an.",
    linkEnded: "Der Zugang ist abgelaufen. Öffnen Sie das Formular erneut aus der App, die es gezeigt hat: Dann werden die Datensätze gesendet.",
    offlineFirst: "Das Formular muss einmal mit Netz geöffnet werden.", conflict: "Zwei Geräte haben diesen Datensatz geändert",
    conflictNote: "Wählen Sie für jede Frage eine Antwort. Was nur ein Gerät geändert hat, ist schon gewählt.",
    twoStates: "Vergleichen", state: "Stand", deleted: "gelöscht",
    deletedElsewhere: "Der Datensatz wurde auf einem anderen Gerät gelöscht", keepRecord: "Datensatz behalten",
    chooseEach: "Wählen Sie für jede Frage eine Antwort.", solve: "Diesen Stand speichern", later: "Später",
    solved: "Der Datensatz hat wieder einen Stand.", noAnswer: "keine Antwort",
    entries: (count) => count === 1 ? "ein Eintrag" : `${count} Einträge`,
  },
};

/** The words of a language, English where there are none, with numbers and days as that language writes them. */
function wordsOf(language) {
  const words = pageWords[language.split("-")[0]] ?? pageWords.en;
  return {
    ...words,
    format: (number) => new Intl.NumberFormat(language).format(number),
    formatDay: (days) => new Intl.DateTimeFormat(language, { timeZone: "UTC", dateStyle: "medium" }).format(new Date(days * dayLength)),
  };
}

/** A text of the form in a language. */
function textIn(text, language, form) {
  if (text === undefined) return "";
  return typeof text === "string" ? text : text[language] ?? text[form.languages[0]] ?? "";
}
