// The options of `gastpass sites set` that are about the picture that the kiosks of the site show.

import { type Arguments, WrongUsage } from '../../platform/cli/command.ts';
import { readFileOption } from '../../platform/cli/read-secret.ts';
import { auditContext } from '../command-tools.ts';
import type { Installation } from '../installation.ts';
import {
  checkImage,
  type ImageIssue,
  MAX_IMAGE_BYTES,
  MAX_SIDE_PX,
  MIN_SIDE_PX,
} from '../settings/image-check.ts';
import type { Image } from '../settings/settings.ts';
import type { Site } from './site.ts';

export const PICTURE_USAGE = '[--picture-file FILE | --no-picture]';
export const PICTURE_HELP = `--picture-file is a JPEG or PNG of at most ${MAX_IMAGE_BYTES / 1024} kB and ${MAX_SIDE_PX} pixels, which all kiosks of the site show.`;

/** Null to remove the picture. Undefined if the command does not change it. */
export function readPictureOption(args: Arguments): Image | null | undefined {
  const bytes = readFileOption(args, 'picture-file');
  const isRemoved = args.has('no-picture');
  if (!bytes) return isRemoved ? null : undefined;
  if (isRemoved) throw new WrongUsage('--picture-file and --no-picture exclude each other');
  const checked = checkImage(bytes);
  if (!checked.ok) throw new WrongUsage(`--picture-file: ${ISSUES[checked.problem]}`);
  return checked.value;
}

const ISSUES: Record<ImageIssue, string> = {
  empty: 'the file is empty',
  'too-heavy': `the file has more than ${MAX_IMAGE_BYTES / 1024} kB`,
  'other-kind': 'the file is neither a PNG nor a JPEG',
  broken: 'the file is damaged',
  'more-after': 'other data follows the image in the file',
  'wrong-size': `the sides of the image must have ${MIN_SIDE_PX} to ${MAX_SIDE_PX} pixels`,
};

export async function setPicture(
  installation: Installation,
  { id }: Site,
  picture: Image | null,
): Promise<void> {
  const { images } = installation;
  const audit = auditContext(installation);
  if (picture) await images.save(`screen-${id}`, picture, audit);
  else await images.remove(`screen-${id}`, audit);
}
