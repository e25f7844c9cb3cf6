// Reads the labels of a form's fields and choices from the HTML of its page. A form that was not accepted is shown
// again with these labels, so they need not be defined a second time.

interface FieldTexts {
  label: string;
  type: string | undefined;
  /** The text of each value that can be chosen. */
  choices: Map<string, string>;
  /** True if the field is the unit of the number field before it. */
  isUnit: boolean;
}

export interface FormTexts {
  /** The heading of the page. */
  title: string;
  /** The label of the button that sends the form. */
  button: string;
  fields: Map<string, FieldTexts>;
}

const FORM = /<form\b([^>]*\bmethod="post"[^>]*)>(.*?)<\/form>/gs;
const NAMED = /<(?:input|select|textarea|button)\b([^>]*\bname="[^>]*)>/g;
const LABEL = /<label\b([^>]*)>(.*?)<\/label>/gs;
const BUTTON = /<button\b([^>]*)>(.*?)<\/button>/gs;
/** Matches the CSS classes of the button that sends a form. */
const MAIN = /\b(?:primary|danger)\b/;
const SELECT = /<select\b([^>]*)>(.*?)<\/select>/gs;
const OPTION = /<option\b([^>]*)>(.*?)<\/option>/gs;
/** Matches the legend of a fieldset and the content after it. */
const GROUP = /<legend>(.*?)<\/legend>(.*?)<\/fieldset>/gs;
const NUMBER_AND_UNIT = /<span class="length">(.*?)<\/span>/gs;
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** Reads the texts of the form that is sent to `action`. Undefined if the page has no such form. */
export function readFormTexts(page: string, action: string): FormTexts | undefined {
  const form = find(page, FORM).find(([tag]) => attributeOf(tag, 'action') === action)?.[1];
  if (form === undefined) return undefined;
  const [title = ['']] = find(page, /<h1\b[^>]*>(.*?)<\/h1>/gs);
  const [button = ['', '']] = find(form, BUTTON).filter(([tag]) =>
    MAIN.test(attributeOf(tag, 'class') ?? ''),
  );
  return { title: textOf(title[0]), button: textOf(button[1]), fields: readFields(form) };
}

function readFields(form: string): FormTexts['fields'] {
  const fields: FormTexts['fields'] = new Map();
  const labels = new Map(find(form, LABEL).map(([tag, text]) => [attributeOf(tag, 'for'), textOf(text)]));
  for (const [tag] of find(form, NAMED)) {
    const name = attributeOf(tag, 'name') ?? '';
    const label = attributeOf(tag, 'data-label') ?? labels.get(attributeOf(tag, 'id') ?? '') ?? '';
    const text = attributeOf(tag, 'data-text');
    const choices = new Map(text === undefined ? [] : [[attributeOf(tag, 'value') ?? '', text]]);
    if (!fields.has(name))
      fields.set(name, { label, type: attributeOf(tag, 'type'), choices, isUnit: false });
  }
  const fieldOf = (tag: string) => fields.get(attributeOf(tag, 'name') ?? '');
  const addChoice = (tag: string, text: string) =>
    fieldOf(tag)?.choices.set(attributeOf(tag, 'value') ?? 'on', textOf(text));

  for (const [, label] of find(form, LABEL)) for (const [tag] of find(label, NAMED)) addChoice(tag, label);
  for (const [tag, text] of find(form, BUTTON)) addChoice(tag, text);
  for (const [tag, options] of find(form, SELECT))
    for (const [option, text] of find(options, OPTION))
      fieldOf(tag)?.choices.set(attributeOf(option, 'value') ?? textOf(text), textOf(text));
  for (const [legend, group] of find(form, GROUP))
    for (const [tag] of find(group, NAMED)) {
      const field = fieldOf(tag);
      if (field) field.label ||= textOf(legend);
    }
  for (const [pair] of find(form, NUMBER_AND_UNIT))
    for (const [tag] of find(pair, NAMED).slice(1)) {
      const field = fieldOf(tag);
      if (field) field.isUnit = true;
    }
  return fields;
}

/** The first two groups of every match. */
function find(text: string, pattern: RegExp): [string, string][] {
  return [...text.matchAll(pattern)].map(([, one = '', other = '']) => [one, other]);
}

function attributeOf(tag: string, name: string): string | undefined {
  const value = new RegExp(`\\b(?<!-)${name}="([^"]*)"`).exec(tag)?.[1];
  return value === undefined ? undefined : decode(value);
}

/** The text of HTML markup, without tags and with single spaces. */
function textOf(markup: string): string {
  return decode(markup.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')).trim();
}

function decode(text: string): string {
  return text.replace(/&(#?\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole);
}
