// Form fields: label above, hint and error below. Screen readers announce the hint and the error with the field.

import { type Html, html, type Piece } from './html.ts';

interface FieldOptions {
  name: string;
  label: string;
  value?: string | number | undefined;
  type?: 'text' | 'number' | 'password' | 'email' | 'url' | 'date';
  inputmode?: 'decimal' | 'numeric';
  maxlength?: number;
  hint?: string | undefined;
  error?: string | undefined;
  required?: boolean;
  autocomplete?: string;
  autofocus?: boolean;
}

export function textField({
  name,
  label,
  value,
  type = 'text',
  inputmode,
  maxlength,
  hint,
  error,
  required,
  autocomplete,
  autofocus,
}: FieldOptions): Html {
  return wrapped(
    { name, label, hint, error },
    html`<input id="${name}" name="${name}" type="${type}"${type === 'number' && html` inputmode="numeric" min="0"`}${inputmode && html` inputmode="${inputmode}"`}${maxlength !== undefined && html` maxlength="${maxlength}"`} value="${value}"${required && html` required`}${autofocus && html` autofocus`} autocomplete="${autocomplete ?? 'off'}"${described(name, { hint, error })}>`,
  );
}

export function textArea(input: Omit<FieldOptions, 'type'>): Html {
  const { name, value, hint, error } = input;
  return wrapped(
    input,
    html`<textarea id="${name}" name="${name}" rows="4"${described(name, { hint, error })}>
${value}</textarea>`,
  );
}

export interface Choice {
  value: string;
  label: string;
}

export function selectField(input: Omit<FieldOptions, 'type'> & { choices: Choice[] }): Html {
  const { name, value, hint, error, choices } = input;
  return wrapped(
    input,
    html`<select id="${name}" name="${name}"${described(name, { hint, error })}>${choices.map(
      (choice) =>
        html`<option value="${choice.value}"${choice.value === String(value) && html` selected`}>${choice.label}</option>`,
    )}</select>`,
  );
}

function wrapped(
  { name, label, hint, error }: Pick<FieldOptions, 'name' | 'label' | 'hint' | 'error'>,
  input: Piece,
): Html {
  return html`<div class="field"><label for="${name}">${label}</label>${input}
${belowField(name, { hint, error })}</div>`;
}

export function belowField(name: string, { hint, error }: Pick<FieldOptions, 'hint' | 'error'>): Html {
  return html`${hint !== undefined && html`<span class="hint" id="${name}-hint">${hint}</span>`}
${error !== undefined && html`<span class="error" id="${name}-error">${error}</span>`}`;
}

/** The attributes that link a field to its hint and its error for screen readers. */
export function described(name: string, { hint, error }: Pick<FieldOptions, 'hint' | 'error'>): Html {
  const ids = [error !== undefined && `${name}-error`, hint !== undefined && `${name}-hint`].filter(Boolean);
  return html`${ids.length > 0 && html` aria-describedby="${ids.join(' ')}"`}${error !== undefined && html` aria-invalid="true"`}`;
}
