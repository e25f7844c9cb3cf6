// Checks the compose files and the Kubernetes manifests: they run the image of this version with settings that exist,
// without rights, and give requests the time to finish. The documents print the files for proxies as they are.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'yaml';
import { settingNames } from '../../src/config/misspelt-settings.ts';
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

test('the proxy of the compose file knows every instance, and they trust its network', () => {
  const { services, networks } = parse(read('deploy/compose.scale.yaml'), { merge: true });
  const [, backends] = /reverse_proxy (.*) \{/.exec(read('deploy/compose.Caddyfile')) ?? [];
  const names = Object.keys(services).filter((name) => name.startsWith('gastpass'));
  assert.equal(backends, names.map((name) => `${name}:8080`).join(' '));
  for (const { environment } of ownOf(services))
    assert.ok(environment.TRUSTED_PROXIES.split(',').includes(networks.default.ipam.config[0].subnet));
});

test('the documents print the files for proxies as they are', () => {
  const blocksOf = (path: string, language: string) =>
    [...read(path).matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, 'gm'))].map(
      ([, block]) => block,
    );
  assert.deepEqual(blocksOf('docs/proxy.md', 'nginx'), [read('deploy/nginx.conf')]);
  assert.deepEqual(blocksOf('docs/proxy.md', 'caddy'), [read('deploy/Caddyfile')]);

  const directivesOf = (text = '') => /reverse_proxy [^{]*\{([^}]*)\}/.exec(text)?.[1]?.trim().split(/\n\s*/);
  const [block] = blocksOf('docs/scaling.md', 'caddy');
  assert.deepEqual(directivesOf(block), directivesOf(read('deploy/compose.Caddyfile')));
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
});
