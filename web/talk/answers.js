// What a filled-in form says: words for the transcript, and values by key.

import { displayValue, isDate } from "./values.js";

/**
 * collect reads a form's entries [[name, value], …] in answer to question (null
 * for none) and returns {message, answers}. answers is null when nothing fits;
 * what does not fit is left to the words, which are in a language.
 */
export function collect(question, entries, language = "en") {
  const form = new Form(entries);
  const said = [form.text("message")].filter(Boolean);
  const answers = {};
  for (const field of fieldsOf(question)) {
    const { words, value } = read(field, form, language);
    if (!words) continue;
    said.push(question.purpose === "form" ? `${field.label || field.prompt}: ${words}` : words);
    if (value !== undefined) answers[field.key] = value;
  }
  return { message: said.join("\n"), answers: Object.keys(answers).length > 0 ? answers : null };
}

class Form {
  #entries;

  constructor(entries) {
    this.#entries = entries;
  }

  /** All texts of a field that are not blank. */
  all(name) {
    return this.#entries
      .filter(([n, v]) => n === name && typeof v === "string")
      .map(([, v]) => v.trim().replaceAll("\r\n", "\n"))
      .filter(Boolean);
  }

  /** The first of them, or nothing. */
  text(name) {
    return this.all(name)[0] ?? "";
  }
}

function fieldsOf(question) {
  if (question?.purpose === "form") return question.fields ?? [];
  return question?.purpose === "ask" || question?.purpose === "conflict" ? [question] : [];
}

function read(field, form, language) {
  const picked = form.all(`answer.${field.key ?? ""}`);
  if (field.purpose === "conflict") return readSide(field, picked, language);
  if (field.widgetType === "number") return readNumber(field, picked.join(""), language);
  const list = [...picked, ...form.all(`other.${field.key}`).slice(0, 1)];
  if (list.length === 0) return { words: "" };
  if (field.widgetType === "multiselect") return checked(field, list, language);
  if (list.length === 1) return checked(field, list[0], language);
  return { words: displayValue(field, list, language) };
}

function readSide(field, picked, language) {
  const value = /^\d+$/.test(picked[0] ?? "") ? field.values?.[Number(picked[0])] : undefined;
  if (value === undefined) return { words: "" };
  return { words: displayValue(field, value, language), value: field.key ? value : undefined };
}

function readNumber(field, typed, language) {
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(typed)) return { words: typed };
  return checked(field, Number(typed), language);
}

function checked(field, value, language) {
  return { words: displayValue(field, value, language), value: fits(field, value) ? value : undefined };
}

function fits(field, value) {
  switch (field.widgetType) {
    case "number":
      return Number.isFinite(value) && (!field.integer || Number.isInteger(value)) && !(value < field.min) && !(value > field.max);
    case "date":
      return isDate(value);
    case "choice":
      return isChoice(field, value);
    case "multiselect":
      return value.every((v) => isChoice(field, v)) && new Set(value).size === value.length;
    default:
      return true;
  }
}

function isChoice(field, value) {
  return Boolean(field.allowOther) || Boolean(field.choices?.some((c) => c.value === value));
}
