// Checks the compose files and the Kubernetes manifests: they run the image of this version with settings that exist,
// without rights, and give requests the time to finish. The documents print the files for proxies as they are.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'yaml';
import { GUEST_PATH } from '../../src/features/guest-pages/guest-link.ts';
import { POLLING_PATH } from '../../src/features/printers/printer.ts';
import { REQUEST_PATH } from '../../src/features/requests/guest-request.ts';
import { ROLLING_PATH, SCREEN_PATH } from '../../src/features/screens/screen.ts';
import { INVITATION_PATH } from '../../src/kernel/users/invitations.ts';
import { settingNames } from '../../src/platform/config/misspelt-settings.ts';
import { isWeakSecret } from '../../src/platform/secrets/weak-secret.ts';
import { files, read } from './sources.ts';

const MAX_DRAIN_S = 25;
const { version } = JSON.parse(read('package.json'));
const IMAGE = `localhost/gastpass:${version}`;
const ownOf = (services: object) =>
  Object.entries(services)
    .filter(([name]) => name.startsWith('gastpass'))
    .map(([, service]) => service);
const unknownOf = (names: string[]) => names.filter((name) => !settingNames().includes(name));

test('the compose files run this version, hardened, with settings that exist', () => {
  for (const [path, count] of [
    ['deploy/compose.yaml', 1],
    ['deploy/compose.scale.yaml', 2],
  ] as const) {
    const { services, volumes } = parse(read(path), { merge: true });
    const own = ownOf(services);
    assert.equal(own.length, count, path);
    for (const service of own) {
      const { image, environment, read_only, cap_drop, security_opt, stop_grace_period } = service;
      assert.deepEqual(
        [image, read_only, cap_drop, security_opt],
        [IMAGE, true, ['ALL'], ['no-new-privileges']],
      );
      assert.ok(Number.parseInt(stop_grace_period, 10) > MAX_DRAIN_S);
      assert.deepEqual(unknownOf(Object.keys(environment)), []);
      const [volume, place] = service.volumes[0].split(':');
      assert.ok(volume in volumes);
      assert.equal(place, '/var/lib/gastpass');
    }
  }
});

test('the proxy of the compose file knows every instance, and they trust only its network', () => {
  const { services, networks } = parse(read('deploy/compose.scale.yaml'), { merge: true });
  const [, backends] = /reverse_proxy (.*) \{/.exec(read('deploy/compose.Caddyfile')) ?? [];
  const names = Object.keys(services).filter((name) => name.startsWith('gastpass'));
  assert.equal(backends, names.map((name) => `${name}:8080`).join(' '));
  for (const { environment } of ownOf(services))
    assert.equal(environment.TRUSTED_PROXIES, networks.default.ipam.config[0].subnet);
});

test('the compose file for one instance suggests to trust only the gateway of its network', () => {
  const text = read('deploy/compose.yaml');
  const [{ gateway }] = parse(text).networks.default.ipam.config;
  assert.equal(/^ *# TRUSTED_PROXIES: (.*)$/m.exec(text)?.[1], gateway);
});

test('the container page makes the networks of the compose files', () => {
  for (const path of ['deploy/compose.yaml', 'deploy/compose.scale.yaml']) {
    const { name, ipam } = parse(read(path), { merge: true }).networks.default;
    const command = `podman network create --subnet ${ipam.config[0].subnet} ${name}`;
    assert.ok(read('docs/install-container.md').includes(command), command);
  }
});

test('the documents print the files for proxies as they are', () => {
  const blocksOf = (path: string, language: string) =>
    [...read(path).matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, 'gm'))].map(
      ([, block]) => block,
    );
  assert.deepEqual(blocksOf('docs/proxy.md', 'nginx'), [read('deploy/nginx.conf')]);
  assert.deepEqual(blocksOf('docs/proxy.md', 'haproxy'), [read('deploy/haproxy-web.cfg')]);
  assert.deepEqual(blocksOf('docs/proxy.md', 'caddy'), [read('deploy/Caddyfile')]);

  const directivesOf = (text = '') => /reverse_proxy [^{]*\{([^}]*)\}/.exec(text)?.[1]?.trim().split(/\n\s*/);
  const [block] = blocksOf('docs/scaling.md', 'caddy');
  assert.deepEqual(directivesOf(block), directivesOf(read('deploy/compose.Caddyfile')));
});

test('the proxies leave all paths that contain a secret out of their access logs', () => {
  const guide = read('docs/proxy.md');
  const paths = [INVITATION_PATH, GUEST_PATH, REQUEST_PATH, ROLLING_PATH, POLLING_PATH, SCREEN_PATH];
  const names = paths.map((path) => path.slice(1));
  assert.match(
    read('deploy/nginx.conf'),
    new RegExp(`\\^/\\(${names.join('\\|')}\\)/ \\{\\s+access_log off;`),
  );
  assert.ok(guide.includes(`path_beg ${names.map((name) => `/${name}/`).join(' ')} }`));
  for (const name of names) {
    assert.ok(guide.includes(`\`log_skip /${name}/*\``));
    assert.match(guide, new RegExp(`leave paths that begin with .*\`/${name}/\``));
  }
});

test('the manifests run this version, hardened, and match each other', () => {
  const manifest = (name: string) => parse(read(`deploy/kubernetes/${name}.yaml`), { merge: true });
  const { resources, images, secretGenerator, configMapGenerator } = manifest('kustomization');
  const present = files
    .filter((path) => /^deploy\/kubernetes\/.*\.yaml$/.test(path) && !path.includes('kustomization'))
    .map((path) => path.split('/').at(-1));
  assert.deepEqual([...resources].sort(), present.sort());

  const { spec } = manifest('deployment');
  const [{ image, envFrom, securityContext, readinessProbe, livenessProbe }] = spec.template.spec.containers;
  assert.equal(spec.replicas, 2);
  assert.deepEqual([image, `${images[0].name}:${images[0].newTag}`], [IMAGE, IMAGE]);
  assert.ok(spec.template.spec.terminationGracePeriodSeconds > MAX_DRAIN_S + 5);
  assert.equal(spec.template.spec.securityContext.runAsNonRoot, true);
  assert.deepEqual(
    [securityContext.readOnlyRootFilesystem, securityContext.capabilities.drop],
    [true, ['ALL']],
  );
  assert.deepEqual([readinessProbe.httpGet.path, livenessProbe.httpGet.path], ['/readyz', '/healthz']);
  assert.deepEqual(
    envFrom.map((source: { secretRef?: { name: string }; configMapRef?: { name: string } }) =>
      [source.configMapRef?.name, source.secretRef?.name].join(),
    ),
    [`${configMapGenerator[0].name},`, `,${secretGenerator[0].name}`],
  );
  const secret = [...read('deploy/kubernetes/secret.env.example').matchAll(/^(\w+)=/gm)];
  const names = [...configMapGenerator[0].literals, ...secret.map(([, name]) => name)].map(
    (line: string) => line.split('=')[0] ?? '',
  );
  assert.deepEqual(unknownOf(names), []);
  const labels = spec.template.metadata.labels;
  assert.deepEqual(manifest('service').spec.selector, labels);
  assert.deepEqual(manifest('disruption-budget').spec.selector.matchLabels, labels);
  assert.deepEqual(manifest('network-policy').spec.podSelector.matchLabels, labels);
});

test('the manifests contain no secret, trust no network and let nobody but the ingress controller in', () => {
  const values = [...read('deploy/kubernetes/secret.env.example').matchAll(/^(\w+)=(.*)$/gm)];
  assert.deepEqual(
    values.map(([, name, value]) => [name, value]),
    [
      ['DATABASE_URL', ''],
      ['GASTPASS_SECRET', ''],
    ],
  );
  const { configMapGenerator } = parse(read('deploy/kubernetes/kustomization.yaml'));
  assert.ok(configMapGenerator[0].literals.includes('TRUSTED_PROXIES='));
  const { podSelector, ...policy } = parse(read('deploy/kubernetes/network-policy.yaml')).spec;
  assert.deepEqual(policy, {
    policyTypes: ['Ingress'],
    ingress: [
      {
        from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'ingress-nginx' } } }],
        ports: [{ port: 'http' }],
      },
    ],
  });
  const { spec } = parse(read('deploy/kubernetes/deployment.yaml'), { merge: true }).spec.template;
  assert.deepEqual(spec.containers[0].volumeMounts, [
    { name: 'data', mountPath: '/var/lib/gastpass', readOnly: true },
  ]);
});

test('a secret that an example file or a document prints is refused', () => {
  const setting =
    /\b(?:GASTPASS_SECRET|GASTPASS_SECRET_PREVIOUS|METRICS_TOKEN|BACKUP_PASSPHRASE)[=:][ \t]*([^`\n]+)/g;
  const printed = files
    .filter((path) => /^(deploy\/|docs\/|README)/.test(path) && !/\.(png|webp)$/.test(path))
    .flatMap((path) => [...read(path).matchAll(setting)].map(([, value = '']) => value))
    .filter((value) => !value.startsWith('${'));
  assert.ok(printed.length > 0);
  assert.deepEqual(
    printed.filter((value) => !isWeakSecret(value)),
    [],
  );
});
