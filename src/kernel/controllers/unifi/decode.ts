// Decodes responses of UniFi's Integration API. Unknown fields are ignored and optional fields may be missing or null;
// a value that cannot be decoded is undefined, never guessed.

import type { UpstreamVoucher } from '../controller.ts';
import {
  isRecord,
  parseJson,
  readCount,
  readId,
  readMessage,
  readMinutes,
  readText,
  readTimeMs,
  readVersion,
  toCode,
} from '../upstream/decode.ts';
import { UNIFI_CODE } from './limits.ts';

export interface ListChunk<Item> {
  items: Item[];
  /** Number of items in the response, including items that could not be decoded. */
  received: number;
  totalCount: number;
}

export interface UnifiSite {
  id: string;
  internalReference: string;
  name: string;
}

export function decodeVersion(text: string): string | undefined {
  const info = parseJson(text);
  return isRecord(info) ? readVersion(info.applicationVersion) : undefined;
}

export function decodeVoucher(value: unknown): UpstreamVoucher | undefined {
  if (!isRecord(value)) return undefined;
  const id = readId(value.id);
  if (id === undefined) return undefined;
  return {
    controllerVoucherId: id,
    code: toCode(value.code, UNIFI_CODE),
    name: readText(value.name) ?? '',
    maxUses: readCount(value.authorizedGuestLimit) ?? 0,
    expireMinutes: readMinutes(value.timeLimitMinutes) ?? 0,
    downKbps: readCount(value.rxRateLimitKbps) ?? 0,
    upKbps: readCount(value.txRateLimitKbps) ?? 0,
    quotaMb: readCount(value.dataUsageLimitMBytes) ?? 0,
    usedCount: readCount(value.authorizedGuestCount) ?? 0,
    createdAtMs: readTimeMs(value.createdAt) ?? 0,
    firstUsedAtMs: readTimeMs(value.activatedAt) ?? null,
  };
}

/** The vouchers in the response to a creation; undefined if the response has no list of vouchers. */
export function decodeCreated(text: string): UpstreamVoucher[] | undefined {
  const body = parseJson(text);
  if (!isRecord(body) || !Array.isArray(body.vouchers)) return undefined;
  return body.vouchers.map(decodeVoucher).filter((voucher) => voucher !== undefined);
}

/** How many vouchers the controller says it has deleted. Undefined if the response is not of this API. */
export function decodeDeleted(text: string): number | undefined {
  const body = parseJson(text);
  return isRecord(body) ? readCount(body.vouchersDeleted) : undefined;
}

/** Whether this API itself says that something does not exist: a proxy or another server can send a 404 too. */
export function isNotFound({ status, text }: { status: number; text: string }): boolean {
  const body = parseJson(text);
  return (
    status === 404 &&
    isRecord(body) &&
    body.statusName === 'NOT_FOUND' &&
    // Network 9 sends no code.
    (body.code === undefined || (readText(body.code)?.startsWith('api.') ?? false))
  );
}

export function decodeChunk<Item>(
  text: string,
  decodeItem: (value: unknown) => Item | undefined,
): ListChunk<Item> | undefined {
  const body = parseJson(text);
  if (!isRecord(body) || !Array.isArray(body.data)) return undefined;
  const items = body.data.map(decodeItem).filter((item) => item !== undefined);
  const received = body.data.length;
  return { items, received, totalCount: readCount(body.totalCount) ?? received };
}

export function decodeSite(value: unknown): UnifiSite | undefined {
  if (!isRecord(value)) return undefined;
  const id = readId(value.id);
  if (id === undefined) return undefined;
  return { id, internalReference: readId(value.internalReference) ?? '', name: readText(value.name) ?? '' };
}

/** The message of the Network application's flat error, or of the nested error of the console in front of it. */
export function decodeErrorText(text: string): string | undefined {
  const body = parseJson(text);
  if (!isRecord(body)) return undefined;
  const source = isRecord(body.error) ? body.error : body;
  return readMessage(source.message);
}
