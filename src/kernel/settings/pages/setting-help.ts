// Says how to change a setting of the service's environment: that it cannot be changed in the browser, the line to add
// for the way this service was installed, the command that restarts the service, and the guide.

import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { icon } from '../../../platform/pages/ui/icons.ts';
import type { AuthenticatedContext } from '../../pages/context.ts';
import { type EnvironmentSetting, restartCommand, settingLine } from '../environment-settings.ts';

export const SETTINGS_GUIDE = '/guide/settings';

export interface HelpedSetting extends EnvironmentSetting {
  isToBeRemoved?: boolean;
}

export function settingHelp(context: AuthenticatedContext, setting: HelpedSetting): Html {
  const { settingsPlace: place } = context.app;
  const { environment: text } = context.messages;
  const restart = restartCommand(place);
  const change = setting.isToBeRemoved
    ? html`<p>${text.remove[place](setting.name)}</p>`
    : html`<p>${text.change[place]}</p>${commandLine(context, settingLine(place, setting))}`;
  return html`<div class="setting-help"><p>${text.what(setting.name)}</p>${change}
${restart !== undefined && html`<p>${text.restart}</p>${commandLine(context, restart)}`}
<p><a href="${SETTINGS_GUIDE}">${text.guide}</a></p></div>`;
}

/** A line to copy into a terminal or a file on the server. */
export function commandLine({ messages: { health, result } }: AuthenticatedContext, line: string): Html {
  return html`<div class="command"><code>${line}</code><button class="button quiet" type="button" hidden data-copy="${line}" data-copied="${result.copied}">${icon('copy')}<span>${health.copy}</span></button></div>`;
}
