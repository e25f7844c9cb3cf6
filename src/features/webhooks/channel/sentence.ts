// The sentence that chats show for a notification.

import { type FailureCause, failureGroupOf } from '../../../kernel/controllers/controller.ts';
import type { Notification } from '../notification.ts';

const MINUTE_MS = 60_000;
const HOUR_MINUTES = 60;

/** Names are inserted as given: the caller must make them safe first. */
export function toSentence(notification: Notification): string {
  const { siteName, occurredAtMs } = notification;
  switch (notification.kind) {
    case 'webhook.test':
      return '🎫 Testnachricht von Gastpass.';
    case 'voucher.created': {
      const { voucherCount, source } = notification;
      const count = voucherCount === 1 ? 'Ein' : String(voucherCount);
      return `🎫 ${count} Voucher für "${siteName}" von ${source} erstellt.`;
    }
    case 'site.unreachable':
      return `🔴 Der Controller von "${siteName}" ${sayFailure(notification.cause, occurredAtMs - notification.sinceMs)}.`;
    case 'site.recovered':
      return `🟢 Der Controller von "${siteName}" funktioniert wieder, nach ${sayOutageDuration(occurredAtMs - notification.sinceMs)}.`;
    case 'certificate.changed':
      return `🔴 Der Controller von "${siteName}" zeigt ein anderes Zertifikat. Bitte in Gastpass prüfen.`;
    case 'webhook.failing': {
      const { webhookName, failures, isOff } = notification;
      return isOff
        ? `🔴 Der Webhook "${webhookName}" ist ausgeschaltet: Sein Ziel gibt es nicht mehr.`
        : `🔴 Nachrichten an den Webhook "${webhookName}" kommen nicht an (${failures} Fehlversuche in Folge).`;
    }
    case 'request.created': {
      const { waiting } = notification;
      const others = waiting > 1 ? ` (${waiting} warten)` : '';
      return `🙋 Ein Gast bittet um einen Voucher für "${siteName}"${others}. Bitte in Gastpass entscheiden.`;
    }
  }
}

function sayFailure(cause: FailureCause | null, forMs: number): string {
  const since = `seit ${sayOutageDuration(forMs)}`;
  const failures = {
    login: `lehnt ${since} die Anmeldung ab`,
    away: `ist ${since} nicht erreichbar`,
    other: `antwortet ${since} nicht wie erwartet`,
  };
  return failures[failureGroupOf(cause)];
}

function sayOutageDuration(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / MINUTE_MS));
  if (minutes === 1) return 'einer Minute';
  if (minutes < 2 * HOUR_MINUTES) return `${minutes} Minuten`;
  return `${Math.round(minutes / HOUR_MINUTES)} Stunden`;
}
