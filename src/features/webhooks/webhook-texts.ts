// The texts of webhooks, in all languages.

import { webhooksDe } from './webhook-texts-de.ts';
import { webhooksEn } from './webhook-texts-en.ts';

export const WEBHOOK_TEXTS = { de: webhooksDe, en: webhooksEn };
