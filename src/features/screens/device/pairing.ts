// The page on which a device that is not paired asks for the pairing code. A QR code carries the pairing code after the
// `#` of the address, which browsers never send; a script puts it into the field.

import type { PageContext } from '../../../kernel/pages/context.ts';
import { redirect, renderPage } from '../../../kernel/pages/layout.ts';
import { guestStylesheet, pairingScript } from '../../../platform/pages/assets.ts';
import { textField } from '../../../platform/pages/ui/fields.ts';
import { html } from '../../../platform/pages/ui/html.ts';
import { icon } from '../../../platform/pages/ui/icons.ts';
import { SCREEN_PATH } from '../screen.ts';
import { PAIRING_TEXTS } from '../screen-texts.ts';
import { writeScreenCookie } from './screen-context.ts';

const MAX_CODE_LENGTH = 30;

/** Responds on all paths of screens while the device is not paired. */
export async function serveUnpaired(context: PageContext): Promise<Response> {
  if (context.path !== SCREEN_PATH) return redirect(context, SCREEN_PATH);
  if (context.request.method !== 'POST') return showPairing(context);
  if (context.form.has('code')) return pairDevice(context);
  // Anybody can send many of these forms: they are not worth a line in the log.
  context.request.isRoutine = true;
  return redirect(context, SCREEN_PATH);
}

/** Sets the cookie of the device. A device that is paired already can be paired with another screen. */
export async function pairDevice(context: PageContext): Promise<Response> {
  const { app, form, request, language } = context;
  const text = PAIRING_TEXTS[language];
  const typed = form.get('code') ?? '';
  if (typed.trim() === '') return showPairing(context, { error: text.missing });
  const seen = { ip: request.clientIp(), agent: request.headers['user-agent'] ?? '' };
  const paired = await app.pairScreen(typed, seen);
  if (paired.result === 'flood')
    return showPairing(context, { typed, error: text.flood, secondsLeft: paired.secondsLeft });
  if (paired.result === 'wrong') return showPairing(context, { typed, error: text.wrong });
  request.screenId = paired.screen.id;
  writeScreenCookie(context, paired.secret);
  return redirect(context, SCREEN_PATH);
}

interface Refused {
  typed?: string;
  error?: string;
  secondsLeft?: number;
}

function showPairing(context: PageContext, { typed, error, secondsLeft }: Refused = {}): Response {
  const { language, settings } = context;
  const text = PAIRING_TEXTS[language];
  const field = textField({
    name: 'code',
    label: text.code,
    hint: text.codeHint,
    value: typed?.slice(0, MAX_CODE_LENGTH),
    maxlength: MAX_CODE_LENGTH,
    required: true,
    autofocus: true,
    error,
  });
  return renderPage(context, {
    title: text.title,
    isForGuest: true,
    stylesheets: [guestStylesheet],
    scripts: [pairingScript],
    guestHead: html`${icon('wifi')}<span>${settings.title}</span>`,
    message: html``,
    ...(error !== undefined && { status: secondsLeft === undefined ? 422 : 429 }),
    ...(secondsLeft !== undefined && { headers: { 'retry-after': String(secondsLeft) } }),
    content: html`<section class="card"><h1>${text.title}</h1><p>${text.intro}</p>
<form method="post" action="${SCREEN_PATH}">${field}
<div class="actions"><button class="button primary" type="submit">${text.button}</button></div></form></section>`,
  });
}
