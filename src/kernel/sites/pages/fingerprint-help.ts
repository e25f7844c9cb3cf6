// Explains how to see the SHA-256 fingerprint of a controller's certificate in a browser or with a command.

import { type Html, html } from '../../../platform/pages/ui/html.ts';
import type { PageContext } from '../../pages/context.ts';

export function fingerprintHelp({ messages: { admin } }: PageContext, url: string): Html {
  const { sites: text } = admin;
  const { hostname, port } = new URL(url);
  const command = `openssl s_client -connect ${hostname}:${port || 443} </dev/null | openssl x509 -noout -fingerprint -sha256`;
  return html`<details><summary>${text.certificateHow}</summary><p>${text.certificateOpen(url)}</p>
<dl class="browsers">${text.browsers.map(({ name, how }) => html`<div><dt>${name}</dt><dd>${how}</dd></div>`)}</dl>
<p>${text.certificateSpelling}</p><p>${text.certificateCommand}</p><pre><code>${command}</code></pre></details>`;
}
