// What package.json says about this installation: the version of the release, and which package it came with.

import { readFileSync } from 'node:fs';

const { version, packagedFor } = JSON.parse(readFileSync(new URL(import.meta.resolve('#package')), 'utf8'));

export const VERSION: string = version;
/** `npm`, `debian` or `container`; undefined for a clone of the sources. */
export const PACKAGED_FOR: string | undefined = packagedFor;
