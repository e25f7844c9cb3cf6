// Draws mutants at random, determined by the seed and the code alone. A mutant that the type check refuses is replaced
// by another one, because `npm test` refuses it too.

import { hash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { API } from 'typescript/unstable/sync';
import { isMutated } from './copied-tree.ts';
import { EQUIVALENT, type Equivalent } from './equivalent.ts';
import { findMutations, type Mutation } from './find-mutations.ts';

export interface Mutant {
  path: string;
  line: number;
  operator: string;
  position: number;
  before: string;
  after: string;
  /** The whole changed file. */
  text: string;
}

interface Candidate extends Mutation {
  path: string;
  rank: string;
}

export function drawMutants(tree: string, { seed, count }: { seed: string; count: number }): Mutant[] {
  const api = new API({ cwd: tree });
  try {
    const types = openTypes(api, tree);
    const candidates = globSync('src/**/*.ts', { cwd: tree })
      .filter(isMutated)
      .flatMap((path): Candidate[] =>
        types.findMutations(path).map((mutation) => {
          const { operator, start, end } = mutation;
          return { ...mutation, path, rank: hash('sha256', `${seed} ${path} ${operator} ${start} ${end}`) };
        }),
      )
      .sort((a, b) => (a.rank < b.rank ? -1 : 1));
    console.log(`${candidates.length} possible mutants`);
    for (const one of EQUIVALENT) checkEquivalent(tree, candidates, one);
    const drawn: Mutant[] = [];
    let refused = 0;
    for (const candidate of candidates) {
      if (drawn.length === count) break;
      const mutant = mutate(tree, candidate, types.isCorrect);
      if (mutant) drawn.push(mutant);
      else refused++;
    }
    console.log(`${drawn.length} drawn, ${refused} refused by the type check and replaced`);
    return drawn;
  } finally {
    api.close();
  }
}

function openTypes(api: API, tree: string) {
  const config = join(tree, 'tsconfig.json');
  const projectOf = (changed: string[]) => {
    const snapshot = api.updateSnapshot({ openProjects: [config], fileChanges: { changed } });
    const project = snapshot.getProject(config);
    if (!project) throw new Error(`${config} was not opened`);
    return { snapshot, project };
  };
  const { project } = projectOf([]);
  return {
    findMutations(path: string): Mutation[] {
      const source = project.program.getSourceFile(join(tree, path));
      return source ? findMutations(source, project.checker) : [];
    },
    isCorrect(path: string, text: string): boolean {
      const file = join(tree, path);
      const original = readFileSync(file, 'utf8');
      writeFileSync(file, text);
      try {
        const changed = projectOf([file]);
        using _ = changed.snapshot;
        const { program } = changed.project;
        return (
          program.getSyntacticDiagnostics(file).length === 0 &&
          program.getSemanticDiagnostics(file).length === 0
        );
      } finally {
        writeFileSync(file, original);
      }
    },
  };
}

/**
 * Fails if the code of the mutant is gone, or stands in a second place, where the same change may not be equivalent.
 */
function checkEquivalent(tree: string, candidates: Candidate[], { path, before }: Equivalent): void {
  const text = readFileSync(join(tree, path), 'utf8');
  const places = candidates.filter(
    (candidate) => candidate.path === path && text.slice(candidate.start, candidate.end) === before,
  );
  if (places.length !== 1) throw new Error(`${places.length} places of ${path} are ${before}, not one`);
}

function mutate(
  tree: string,
  { path, operator, start, end, replacements }: Candidate,
  isCorrect: (path: string, text: string) => boolean,
): Mutant | undefined {
  const original = readFileSync(join(tree, path), 'utf8');
  const before = original.slice(start, end);
  for (const after of replacements) {
    if (after === before) continue;
    const text = original.slice(0, start) + after + original.slice(end);
    const line = original.slice(0, start).split('\n').length;
    if (isCorrect(path, text)) return { path, line, operator, position: start, before, after, text };
  }
  return undefined;
}
