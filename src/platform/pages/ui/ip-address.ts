// Shows an IP address without line breaks. Only a long IPv6 address may be broken, between its network and host parts.

import { type Html, html } from './html.ts';

const NETWORK_GROUPS = 4;

export function ipAddress(ip: string): Html {
  const groups = ip.split(':');
  if (groups.length <= NETWORK_GROUPS) return html`<span class="whole">${ip}</span>`;
  const [network, host] = [groups.slice(0, NETWORK_GROUPS), groups.slice(NETWORK_GROUPS)];
  return html`<span class="whole">${network.join(':')}:</span><wbr><span class="whole">${host.join(':')}</span>`;
}
