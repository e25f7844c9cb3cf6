// Rules for the secret of the installation, and for the values that are sealed with it.

import { type Finding, fault, passed, warning } from './finding.ts';
import { judgeFiles, type SecretFile } from './judge-data-folder.ts';

export interface SealedTally {
  count: number;
  /** The number of values that can be opened only with the previous secret. */
  needPrevious: number;
  /** The number of values in the format of releases before 0.2, which does not bind a value to its row. */
  unbound: number;
  /** What is wrong with each value that cannot be opened. */
  broken: string[];
}

export interface SecretFacts {
  files: SecretFile[];
  /** The file of the secret; undefined if the secret is a setting. */
  secretPath: string | undefined;
  hasPreviousSecret: boolean;
  /** The settings whose values could be guessed. */
  weakSettings: string[];
  sealed: SealedTally;
}

export function judgeSecrets({ files, weakSettings, sealed, ...secret }: SecretFacts): Finding[] {
  const ofFiles = judgeFiles(files);
  const isExposed = ofFiles.some(({ fact }) => 'file' in fact && fact.file === 'secret');
  const { needPrevious, unbound, broken } = sealed;
  return [
    ...(isExposed ? [] : judgeSecret({ ...secret, needPrevious })),
    ...ofFiles,
    ...weakSettings.map((setting) => warning({ kind: 'secret-weak', setting })),
    ...judgeBroken(broken),
    ...(unbound > 0 ? [warning({ kind: 'sealed-unbound', count: unbound })] : []),
  ];
}

export function judgeBroken(broken: string[]): Finding[] {
  return broken.map((detail) => fault({ kind: 'sealed-broken', detail }));
}

function judgeSecret({
  secretPath: path,
  hasPreviousSecret,
  needPrevious,
}: Pick<SecretFacts, 'secretPath' | 'hasPreviousSecret'> & Pick<SealedTally, 'needPrevious'>): Finding[] {
  const fits = passed({ kind: 'secret-ok', path });
  if (path !== undefined) return [fits];
  if (needPrevious > 0) return [warning({ kind: 'secret-previous-needed', count: needPrevious })];
  return hasPreviousSecret ? [fits, warning({ kind: 'secret-previous-unneeded' })] : [fits];
}
