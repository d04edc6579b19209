// The texts of the page's language, from the table that the server makes a module of.

const { language, table } = await import(`./strings-${document.documentElement.lang === "de" ? "de" : "en"}.js`);

/** The text of a key with its `{name}` places filled. With a number `n` the key may have the forms `.one` and `.other`. */
const t = (key, values = {}) => {
  const form = "n" in values ? `${key}.${new Intl.PluralRules(language).select(Number(values.n))}` : "";
  const text = table[form] ?? table[key] ?? table[`${key}.other`] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => {
    if (!(name in values)) return whole;
    return typeof values[name] === "number" ? number(values[name]) : String(values[name]);
  });
};
/** The text of a key, or another text where there is none. */
const textOr = (key, other) => table[key] ?? other;

const number = (value, places = 0) =>
  value.toLocaleString(language, { minimumFractionDigits: 0, maximumFractionDigits: places });
const percent = (share) => share.toLocaleString(language, { style: "percent", maximumFractionDigits: 0 });
/** A duration in words: 45 s, 12 min, 3 h 20 min, 4 d. */
const duration = (seconds) => {
  const rounded = Math.round(seconds);
  if (rounded < 60) return `${rounded} s`;
  const minutes = Math.round(rounded / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 ? `${hours} h ${minutes % 60} min` : `${hours} h`;
  return `${Math.floor(hours / 24)} ${t("unit.days")}`;
};

export { language, t, textOr, number, percent, duration };
