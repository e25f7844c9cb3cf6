// Wires the handler of the paths of rolling codes. Loaded with the first such request.

import type { Installation } from '../../../kernel/installation.ts';
import { VERSION } from '../../../platform/config/version.ts';
import type { DrawCodePicture } from '../../../platform/drawing/draw-in-thread.ts';
import type { Handler } from '../../../platform/http/handler.ts';
import type { Log } from '../../../platform/log/log.ts';
import { MAX_WRONG, makeNetworkFloods } from '../../../platform/network/network-floods.ts';
import { DEFAULT_PICTURE, MAX_PICTURE_SIZE, MIN_PICTURE_SIZE } from '../drawing/code-picture.ts';
import { makeFetchCodePicture } from '../drawing/kept-pictures.ts';
import { describeRollingCode, prepareCodePicture } from '../drawing/prepare-code-picture.ts';
import { makeOpenRollingPath } from '../open-rolling-path.ts';
import type { LookAtRollingCode, RollingLook } from '../rolling-code.ts';
import { makeRollingHandler } from './rolling-handler.ts';

export interface RollingParts {
  lookAtRollingCode: LookAtRollingCode;
  drawCodePicture: DrawCodePicture;
  timeZone: string;
  log: Log;
}

export function makeRolling(installation: Installation, parts: RollingParts): Handler {
  const { clock, rolling, slips, settings, profiles } = installation;
  const { lookAtRollingCode, drawCodePicture, timeZone, log } = parts;
  const fetchCodePicture = makeFetchCodePicture({ drawCodePicture, clock });
  const floods = makeNetworkFloods({
    clock,
    onFlood: (network) =>
      log.warn(
        { network, wrongPaths: MAX_WRONG },
        'flood of wrong paths of rolling codes: refused until the minute is over',
      ),
  });
  const prepare = async (look: RollingLook, size = DEFAULT_PICTURE) => {
    const { language } = await settings.read();
    const slip = await slips.find(look.screen.siteId);
    return prepareCodePicture(look, { slip, language, timeZone }, size);
  };
  return makeRollingHandler({
    openRollingPath: makeOpenRollingPath({ rolling, floods, clock }),
    lookAtRollingCode,
    sizes: { min: MIN_PICTURE_SIZE, max: MAX_PICTURE_SIZE, default: DEFAULT_PICTURE },
    async describe(look) {
      return describeRollingCode(look, {
        slip: await slips.find(look.screen.siteId),
        profiles: look.voucher ? [] : await profiles.list(),
      });
    },
    async say(look) {
      const { code, message } = await prepare(look);
      return code ?? message;
    },
    async makePicture(look, size, form) {
      const codePicture = await prepare(look, size);
      // A later release may draw the same texts in another way.
      const key = JSON.stringify({ ...codePicture, form, release: VERSION });
      return { key, fetch: () => fetchCodePicture({ screenId: look.screen.id, key, codePicture, form }) };
    },
  });
}
