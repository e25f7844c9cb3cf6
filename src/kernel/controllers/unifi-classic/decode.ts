// Decodes responses of the classic UniFi Network API. Numbers may arrive as text and optional fields may be missing; a
// value that cannot be decoded is undefined, never guessed.

import type { ControllerSite, UpstreamVoucher } from '../controller.ts';
import { UNIFI_CODE } from '../unifi/limits.ts';
import {
  isRecord,
  parseJson,
  readCount,
  readId,
  readMessage,
  readMinutes,
  readSecondsMs,
  readText,
  readVersion,
  toCode,
} from '../upstream/decode.ts';

export interface Envelope {
  /** Undefined if the response says neither that the call succeeded nor that it failed. */
  ok: boolean | undefined;
  /** A dotted error code such as `api.err.LoginRequired`, if the call failed. */
  message: string | undefined;
  data: unknown[];
}

const OUTCOMES = new Map<unknown, boolean>([
  ['ok', true],
  ['error', false],
]);

export function decodeEnvelope(text: string): Envelope | undefined {
  const body = parseJson(text);
  if (!isRecord(body) || !isRecord(body.meta)) return undefined;
  return {
    ok: OUTCOMES.get(body.meta.rc),
    message: readMessage(body.meta.msg),
    data: Array.isArray(body.data) ? body.data : [],
  };
}

export function decodeVersion(text: string): string | undefined {
  const body = parseJson(text);
  return isRecord(body) && isRecord(body.meta) ? readVersion(body.meta.server_version) : undefined;
}

/** The error text of UniFi OS itself, which runs in front of the Network application. */
export function decodeConsoleText(text: string): string | undefined {
  const body = parseJson(text);
  if (!isRecord(body)) return undefined;
  const source = isRecord(body.error) ? body.error : body;
  return readMessage(source.message) ?? readMessage(source.code);
}

export function decodeCreateTime({ data }: Envelope): number | undefined {
  const [first] = data;
  return isRecord(first) ? readCount(first.create_time) : undefined;
}

export function decodeVoucher(value: unknown): UpstreamVoucher | undefined {
  if (!isRecord(value)) return undefined;
  const id = readId(value._id);
  if (id === undefined) return undefined;
  return {
    controllerVoucherId: id,
    code: toCode(value.code, UNIFI_CODE),
    name: readText(value.note) ?? '',
    maxUses: readCount(value.quota) ?? 0,
    expireMinutes: readMinutes(value.duration) ?? 0,
    downKbps: readCount(value.qos_rate_max_down) ?? 0,
    upKbps: readCount(value.qos_rate_max_up) ?? 0,
    quotaMb: readCount(value.qos_usage_quota) ?? 0,
    usedCount: readCount(value.used) ?? 0,
    createdAtMs: readSecondsMs(value.create_time) ?? 0,
    // 0 means never used.
    firstUsedAtMs: readSecondsMs(value.start_time) || null,
  };
}

/** The sites an account may see. Calls identify a site by `name`; `desc` is its display name. */
export function decodeSites({ data }: Envelope): ControllerSite[] {
  return data
    .filter(isRecord)
    .map((site) => ({ id: readId(site.name) ?? '', name: readText(site.desc) ?? '' }))
    .filter(({ id }) => id !== '');
}

/** The voucher a guest used, and when the guest's access began. */
export function decodeGuestUse(
  value: unknown,
): { controllerVoucherId: string; startedAtMs: number } | undefined {
  if (!isRecord(value)) return undefined;
  const controllerVoucherId = readId(value.voucher_id);
  const startedAtMs = readSecondsMs(value.start);
  if (controllerVoucherId === undefined || startedAtMs === undefined) return undefined;
  return { controllerVoucherId, startedAtMs };
}

/** A device that was let in and has not been disconnected. */
export interface OnlineDevice {
  mac: string;
  startedAtMs: number;
  /** Undefined if the device was let in without a voucher. */
  controllerVoucherId: string | undefined;
}

const MAC = /^([\da-f]{2}:){5}[\da-f]{2}$/i;

/** Undefined if the time of the device is over, too. */
export function decodeOnlineDevice(value: unknown): OnlineDevice | undefined {
  if (!isRecord(value) || value.expired === true) return undefined;
  const mac = readText(value.mac)?.toLowerCase() ?? '';
  const startedAtMs = readSecondsMs(value.start);
  if (!MAC.test(mac) || startedAtMs === undefined) return undefined;
  return { mac, startedAtMs, controllerVoucherId: readId(value.voucher_id) };
}

/** The CSRF token in the payload of the JWT that UniFi OS uses as its session cookie. */
export function csrfOfToken(jwt: string): string | undefined {
  const payload = parseJson(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString('utf8'));
  return isRecord(payload) ? readText(payload.csrfToken) : undefined;
}
