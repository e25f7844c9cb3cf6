// Makes certificates for tests of TLS to PostgreSQL, with the openssl commands that docs/postgresql.md shows.

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Authority {
  /** The file of its own certificate. */
  file: string;
  /** Issues a certificate and its key: NAME.crt and NAME.key in the folder. */
  issue(name: string, alternativeNames?: string): { certificateFile: string; keyFile: string };
}

const EC_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

export function makeAuthority(folder: string, name: string): Authority {
  const run = (...words: string[]) => execFileSync('openssl', words, { cwd: folder, stdio: 'pipe' });
  const own = { certificate: `${name}.crt`, key: `${name}.key` };
  run(
    'req',
    '-x509',
    ...EC_KEY,
    '-days',
    '3650',
    '-subj',
    `/CN=${name}`,
    '-keyout',
    own.key,
    '-out',
    own.certificate,
  );
  return {
    file: join(folder, own.certificate),
    issue(subject, alternativeNames) {
      const [request, certificate, key] = ['csr', 'crt', 'key'].map((end) => `${subject}.${end}`);
      run('req', ...EC_KEY, '-subj', `/CN=${subject}`, '-keyout', key ?? '', '-out', request ?? '');
      const extensions = join(folder, `${subject}.ext`);
      writeFileSync(extensions, alternativeNames ? `subjectAltName=${alternativeNames}\n` : '');
      run(
        'x509',
        '-req',
        '-in',
        request ?? '',
        '-CA',
        own.certificate,
        '-CAkey',
        own.key,
        '-CAcreateserial',
        '-days',
        '365',
        '-extfile',
        extensions,
        '-out',
        certificate ?? '',
      );
      return { certificateFile: join(folder, certificate ?? ''), keyFile: join(folder, key ?? '') };
    },
  };
}

export const contentOf = (path: string) => readFileSync(path, 'utf8');
