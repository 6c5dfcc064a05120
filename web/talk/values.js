// Values in words, as the server words them.

const locales = { en: "en-GB" }; // 31 March 2026; others are named by their tag
const localeOf = (language) => locales[language] ?? language;
const figure = (n, language) => new Intl.NumberFormat(localeOf(language), { maximumFractionDigits: 20 }).format(n);

/**
 * displayValue words a value of the shape {widgetType, choices, unit} in the
 * language of a BCP 47 tag: a choice by its label, a date as "31 March 2026", a
 * number with its unit, which is left out where it is not English.
 */
export function displayValue(shape, value, language = "en") {
  if (value === null || value === undefined) return "";
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (typeof value === "number") return withUnit(figure(value, language), value === 1, shape.unit, language);
  if (typeof value === "string") return displayText(shape, value, language);
  if (Array.isArray(value)) return value.map((v) => displayValue(shape, v, language)).join(", ");
  return displayObject(shape, value, language);
}

/** isDate tells whether text is YYYY, YYYY-MM or YYYY-MM-DD. */
export function isDate(text) {
  return /^\d{4}$/.test(text) || dateWords(text) !== text;
}

function displayText(shape, text, language) {
  const choice = shape.choices?.find((c) => c.value === text);
  if (choice?.label) return choice.label;
  return shape.widgetType === "date" ? dateWords(text, language) : text;
}

function displayObject(shape, value, language) {
  const keys = Object.keys(value).sort();
  if (keys.length === 2 && typeof value.min === "number" && typeof value.max === "number") {
    const to = language.startsWith("en") ? " to " : "–";
    return withUnit(figure(value.min, language) + to + figure(value.max, language), false, shape.unit, language);
  }
  return keys.map((k) => `${k}: ${displayValue(shape, value[k], language)}`).join("; ");
}

function dateWords(text, language = "en") {
  const m = /^(\d{4})-(\d{2})(?:-(\d{2}))?$/.exec(text);
  if (!m) return text;
  const [year, month, day] = [Number(m[1]), Number(m[2]), Number(m[3] ?? 1)];
  const at = new Date(Date.UTC(year, month - 1, day));
  if (at.getUTCMonth() !== month - 1 || at.getUTCDate() !== day) return text;
  const parts = { month: "long", year: "numeric", timeZone: "UTC", ...(m[3] && { day: "numeric" }) };
  return new Intl.DateTimeFormat(localeOf(language), parts).format(at).replace(/\d+$/, m[1]);
}

function withUnit(number, one, unit, language) {
  if (!unit || unit === "money" || !language.startsWith("en")) return number;
  if (one && unit === "people") return `${number} person`;
  return `${number} ${one ? unit.replace(/s$/, "") : unit}`;
}
