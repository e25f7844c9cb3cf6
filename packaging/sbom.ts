// The software bill of materials in CycloneDX 1.6: which third-party packages the packed Gastpass contains. It has no
// serial number and no time, so that the same sources give the same file.

import type { Component } from './components.ts';
import { manifest } from './project.ts';

export function writeSbom(components: Component[]): string {
  const own = purlOf(manifest.name, manifest.version);
  const bom = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      lifecycles: [{ phase: 'build' }],
      component: {
        'bom-ref': own,
        type: 'application',
        name: manifest.name,
        version: manifest.version,
        description: manifest.description,
        licenses: [{ license: { id: manifest.license } }],
        purl: own,
      },
    },
    components: components.map(({ name, version, licence, integrity }) => {
      const purl = purlOf(name, version);
      return {
        'bom-ref': purl,
        type: 'library',
        name,
        version,
        scope: 'required',
        hashes: [{ alg: 'SHA-512', content: hexOf(integrity) }],
        licenses: [/^[\w.-]+$/.test(licence) ? { license: { id: licence } } : { expression: licence }],
        purl,
      };
    }),
    dependencies: [{ ref: own, dependsOn: components.map(({ name, version }) => purlOf(name, version)) }],
  };
  return `${JSON.stringify(bom, null, 2)}\n`;
}

function purlOf(name: string, version: string): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

function hexOf(integrity: string): string {
  return Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex');
}
