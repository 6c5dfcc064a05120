// Values in words, as the server words them.

const months = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];
const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 20 });

/**
 * displayValue words a value of the shape {widgetType, choices, unit}: a choice
 * by its label, a date as "31 March 2026", a number with its unit.
 */
export function displayValue(shape, value) {
  if (value === null || value === undefined) return "";
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (typeof value === "number") return withUnit(whole.format(value), value === 1, shape.unit);
  if (typeof value === "string") return displayText(shape, value);
  if (Array.isArray(value)) return value.map((v) => displayValue(shape, v)).join(", ");
  return displayObject(shape, value);
}

/** isDate tells whether text is YYYY, YYYY-MM or YYYY-MM-DD. */
export function isDate(text) {
  return /^\d{4}$/.test(text) || dateWords(text) !== text;
}

function displayText(shape, text) {
  const choice = shape.choices?.find((c) => c.value === text);
  if (choice?.label) return choice.label;
  return shape.widgetType === "date" ? dateWords(text) : text;
}

function displayObject(shape, value) {
  const keys = Object.keys(value).sort();
  if (keys.length === 2 && typeof value.min === "number" && typeof value.max === "number") {
    return withUnit(`${whole.format(value.min)} to ${whole.format(value.max)}`, false, shape.unit);
  }
  return keys.map((k) => `${k}: ${displayValue(shape, value[k])}`).join("; ");
}

function dateWords(text) {
  const m = /^(\d{4})-(\d{2})(?:-(\d{2}))?$/.exec(text);
  if (!m) return text;
  const [year, month, day] = [Number(m[1]), Number(m[2]), Number(m[3] ?? 1)];
  const at = new Date(Date.UTC(year, month - 1, day));
  if (at.getUTCMonth() !== month - 1 || at.getUTCDate() !== day) return text;
  return m[3] ? `${day} ${months[month - 1]} ${m[1]}` : `${months[month - 1]} ${m[1]}`;
}

function withUnit(number, one, unit) {
  if (!unit || unit === "money") return number;
  if (one && unit === "people") return `${number} person`;
  return `${number} ${one ? unit.replace(/s$/, "") : unit}`;
}
