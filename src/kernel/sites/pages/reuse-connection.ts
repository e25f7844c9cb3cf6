// Adds further sites of a controller that a site already uses. The connection of that site is read from the database in
// each step: forms carry only the number of the site. The user's password is asked first.

import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { type ControllerKind, findKind } from '../../controllers/controller-kind.ts';
import type { AuthenticatedContext } from '../../pages/context.ts';
import { formToken } from '../../pages/layout.ts';
import { type ControllerConnection, lacksPassword } from '../controller-connection.ts';
import type { Site } from '../site.ts';
import { kindTexts } from './site-forms.ts';

export const REUSE_PATH = '/sites/new/reuse';
/** The field with the number of the site whose connection is used. */
export const FROM_FIELD = 'from';

export interface ReusableConnection {
  kind: ControllerKind;
  connection: ControllerConnection;
  /** The sites with this connection, by name. */
  sites: Site[];
}

/** Finds the connections in use. Sites with the same connection share one entry. */
export async function findReusable({ app }: AuthenticatedContext): Promise<ReusableConnection[]> {
  const found = new Map<string, ReusableConnection>();
  for (const site of await app.sites.list()) {
    const kind = findKind(app.kinds, site.controllerKind);
    const { connection } = site;
    if (!kind || !connection || !isReusable(connection)) continue;
    const key = JSON.stringify([kind.name, connection]);
    const reusable = found.get(key) ?? { kind, connection, sites: [] };
    reusable.sites.push(site);
    found.set(key, reusable);
  }
  return [...found.values()];
}

/** A connection whose certificate nobody has confirmed is not copied to further sites. */
function isReusable(connection: ControllerConnection): boolean {
  return ['ca', 'pinned'].includes(connection.trust.kind) && !lacksPassword(connection);
}

/** The connection of the site that the form names. Undefined if the site is gone or its connection cannot be reused. */
export async function readReused(context: AuthenticatedContext): Promise<ReusableConnection | undefined> {
  const from = context.form.get(FROM_FIELD);
  const all = await findReusable(context);
  return all.find(({ sites }) => sites.some(({ id }) => String(id) === from));
}

/** Offers the connections in use. */
export function reuseCard(context: AuthenticatedContext, reusable: ReusableConnection[]): Html {
  const { sites: text } = context.messages.admin;
  return html`<section class="card"><h2>${text.reuseTitle}</h2><p>${text.reuseWhat}</p>
<form class="choosing" method="post" action="${REUSE_PATH}">${formToken(context)}
<ul class="consoles">${reusable.map((one) => row(context, one))}</ul></form></section>`;
}

function row({ messages }: AuthenticatedContext, { kind, connection, sites }: ReusableConnection): Html {
  const { sites: text } = messages.admin;
  const [first] = sites;
  return html`<li class="console"><div><span class="clipped">${connection.url}</span><span class="sub">${kindTexts(messages, kind.name).short}, ${text.sitesHere(sites.length)}</span></div>
${first && html`<button class="button" name="${FROM_FIELD}" value="${first.id}">${text.reuse(first.name)}</button>`}</li>`;
}
