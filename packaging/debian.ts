// `npm run package:debian` writes Debian packages from dist/gastpass: gastpass for every processor, and gastpass-node
// with the Node it runs on where the platform has none. `-- --own` makes only the one for this machine, less
// compressed, and `--without-node` none.

import { cpSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dist, writeChecksums } from './checksums.ts';
import { compress, writeDebianPackage } from './debian-files.ts';
import { DEPLOYED } from './documents.ts';
import { ARCHITECTURES, CPUS, type Cpu, findNode } from './node-program.ts';
import { copyManifest, manifest, nodeVersion, readProjectFile } from './project.ts';

const PLACE = 'usr/lib/gastpass';
const isOwnOnly = process.argv.includes('--own');
const isWithoutNode = process.argv.includes('--without-node');
const compression = isOwnOnly ? 0 : 6;

const packed = join(dist, 'gastpass');
if (!existsSync(packed)) throw new Error('there is no dist/gastpass yet: run "npm run package"');

const cpus = CPUS.filter((cpu) => !isWithoutNode && (!isOwnOnly || cpu === process.arch));
writeGastpass();
for (const cpu of cpus) writeNode(cpu);
writeChecksums();

function writeGastpass(): void {
  const documents = `usr/share/doc/${manifest.name}`;
  writeDebianPackage({
    name: manifest.name,
    version: `${manifest.version}-1`,
    architecture: 'all',
    fields: { Section: 'net', Depends: 'adduser, nodejs (>= 24) | gastpass-node' },
    description: [
      'vouchers for guest Wi-Fi',
      'Gastpass creates and lists access vouchers for guest Wi-Fi on UniFi consoles,',
      'through an HTTP API and a web interface for the front desk. It stores its data',
      'in SQLite or PostgreSQL.',
    ],
    compression,
    changes: ['New version; see /usr/share/doc/gastpass/changelog.gz.'],
    conffiles: ['etc/gastpass.env'],
    scripts: Object.fromEntries(
      ['postinst', 'prerm', 'postrm'].map((name) => [name, readProjectFile(`packaging/debian/${name}`)]),
    ),
    modes: {
      'etc/gastpass.env': 0o600,
      'usr/bin/gastpass': 0o755,
      [`${PLACE}/bin/gastpass`]: 0o755,
      [`${PLACE}/bin/node`]: 0o755,
    },
    files: {
      'etc/gastpass.env': settings(),
      'usr/bin/gastpass': deployed('gastpass-command'),
      'usr/lib/systemd/system/gastpass.service': deployed('gastpass.service'),
      'usr/lib/systemd/system/gastpass@.service': deployed('gastpass@.service'),
      'usr/share/man/man8/gastpass.8.gz': compress(readProjectFile('packaging/debian/gastpass.8')),
      'usr/share/lintian/overrides/gastpass': readProjectFile('packaging/debian/gastpass.lintian-overrides'),
      ...Object.fromEntries(DEPLOYED.map((path) => [`${documents}/deploy/${path}`, deployed(path)])),
      [`${documents}/copyright`]: copyright(),
      [`${documents}/changelog.gz`]: compress(readProjectFile('CHANGELOG.md')),
      [`${documents}/THIRD-PARTY-NOTICES.gz`]: compress(
        readFileSync(join(packed, 'THIRD-PARTY-NOTICES'), 'utf8'),
      ),
    },
    fill(folder) {
      for (const part of ['bin', 'lib'])
        cpSync(join(packed, part), join(folder, PLACE, part), { recursive: true });
      copyManifest(packed, join(folder, PLACE), 'debian');
      for (const name of globSync('*.md', { cwd: join(packed, 'docs') })) {
        const text = readFileSync(join(packed, 'docs', name), 'utf8');
        mkdirSync(join(folder, documents), { recursive: true });
        writeFileSync(join(folder, documents, name), text.replaceAll('](../deploy/', '](deploy/'));
      }
    },
  });
}

/** The files of deploy/ name the paths of an installation by hand, and say where to put them. */
function deployed(name: string): string {
  return readProjectFile(`deploy/${name}`)
    .replaceAll('/opt/gastpass/', `/${PLACE}/`)
    .replaceAll(/ Install it as[^\n]*(\n# \/etc[^\n]*)?/g, '');
}

/** As in deploy/, but with no public address yet: the service runs before an administrator has set one. */
function settings(): string {
  return deployed('gastpass.env')
    .replace(
      /^# Settings .*$/m,
      '# Settings of the service and of the command gastpass. All settings: /usr/share/doc/gastpass/settings.md',
    )
    .replace(/^PUBLIC_URL=/m, '#PUBLIC_URL=');
}

function copyright(): string {
  const notices = readFileSync(join(packed, 'THIRD-PARTY-NOTICES'), 'utf8');
  const parts = Array.from(
    notices.matchAll(/^=+\n(\S+ \S+)\nLicence: (.*)$/gm),
    ([, name, licence]) => `  ${name}: ${licence}\n`,
  );
  return `Gastpass\n\n${readProjectFile('LICENSE')}
It contains the following packages. Their copyright holders and the full texts of their licences are in
/usr/share/doc/gastpass/THIRD-PARTY-NOTICES.gz; Apache-2.0 is in /usr/share/common-licenses/Apache-2.0.\n\n${parts.join('')}`;
}

function writeNode(cpu: Cpu): void {
  const name = `node-linux-${cpu}`;
  const from = findNode(cpu);
  const place = `${PLACE}/node_modules/${name}/bin`;
  const licences = readFileSync(join(from, 'LICENSE'), 'utf8');
  writeDebianPackage({
    name: 'gastpass-node',
    version: `${nodeVersion}-1`,
    architecture: ARCHITECTURES[cpu],
    fields: { Section: 'net', Depends: 'libc6 (>= 2.28), libgcc-s1 (>= 3.4), libstdc++6 (>= 6)' },
    description: [
      'Node for Gastpass',
      'The version of Node that Gastpass runs on, for systems without Node 24. It is',
      'the program of an npm package, unchanged, and only Gastpass uses it.',
    ],
    compression,
    changes: [`Node ${nodeVersion}.`],
    modes: { [`${place}/node`]: 0o755 },
    files: {
      'usr/share/doc/gastpass-node/copyright': copyrightOfNode(name, licences),
      'usr/share/doc/gastpass-node/LICENSE.gz': compress(licences),
      'usr/share/lintian/overrides/gastpass-node': readProjectFile(
        'packaging/debian/gastpass-node.lintian-overrides',
      ),
    },
    fill(folder) {
      mkdirSync(join(folder, place), { recursive: true });
      cpSync(join(from, 'bin/node'), join(folder, place, 'node'));
    },
  });
}

/** Node's own licence is the first one in the file, between quotation marks. */
function copyrightOfNode(name: string, licences: string): string {
  const own = /"""\n([\s\S]*?)"""/.exec(licences)?.[1] ?? '';
  return `Node.js ${nodeVersion}, from the npm package ${name}\n\n${own}
Node contains further software. All licences are in /usr/share/doc/gastpass-node/LICENSE.gz.\n`;
}
