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
