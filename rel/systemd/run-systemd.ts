// Boots a Debian with systemd in an emulated machine, installs the Debian package there and uses it. Called by
// `npm run rel -- systemd`, as root. Needs dist/ of `npm run package:debian -- --own`, mmdebstrap, QEMU and 3 GB of
// disk.

import { execFileSync, spawn } from 'node:child_process';
import { copyFileSync, cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { HARD_LINES, writeRecord } from './record-settings.ts';

const PACKAGES =
  'initramfs-tools,systemd-sysv,udev,dbus,adduser,ca-certificates,curl,iproute2,openssl,postgresql,procps';
const MACHINES = {
  arm64: { kernel: 'arm64', qemu: 'qemu-system-aarch64 -M virt -cpu cortex-a72', console: 'ttyAMA0' },
  x64: { kernel: 'amd64', qemu: 'qemu-system-x86_64 -cpu max', console: 'ttyS0' },
};
const MAX_MS = 45 * 60_000;
const UNIT = `[Unit]
After=multi-user.target
[Service]
Type=idle
ExecStart=/bin/bash /root/in-machine.sh
StandardOutput=file:/dev/console
StandardError=inherit
[Install]
WantedBy=multi-user.target
`;

const run = (program: string, ...words: string[]) =>
  execFileSync(program, words, { stdio: ['ignore', 'ignore', 'inherit'] });

/** True if every step succeeded. */
export async function runSystemd(): Promise<boolean> {
  run(machine.qemu.split(' ')[0] ?? '', '--version');
  const folder = mkdtempSync(join(tmpdir(), 'gastpass-systemd-'));
  const system = join(folder, 'debian');
  try {
    await makeSystem(system, folder);
    return await boot(system, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const machine = MACHINES[process.arch === 'x64' ? 'x64' : 'arm64'];

async function makeSystem(system: string, folder: string): Promise<void> {
  const inside = (path: string) => join(system, path);
  const [gastpass, node] = ['gastpass_*_all.deb', 'gastpass-node_*.deb'].map((pattern) => {
    const [file] = globSync(fileURLToPath(new URL(`../../dist/${pattern}`, import.meta.url)));
    if (!file)
      throw new Error(
        'there is no Debian package yet: run "npm run package", then "npm run package:debian -- --own"',
      );
    return file;
  }) as [string, string];
  console.log('making a Debian …');
  const packages = `${PACKAGES},linux-image-cloud-${machine.kernel}`;
  run('mmdebstrap', '--quiet', '--variant=minbase', `--include=${packages}`, codename(), system);
  copyFileSync(gastpass, inside('root/gastpass.deb'));
  // Installed here, because unpacking it in an emulated machine takes minutes.
  copyFileSync(node, inside('root/node.deb'));
  run('chroot', system, 'dpkg', '--install', '/root/node.deb');
  writeNewer(gastpass, join(folder, 'newer'), inside('root/newer.deb'));
  cpSync(new URL('in-machine.sh', import.meta.url), inside('root/in-machine.sh'));
  copyFileSync(HARD_LINES, inside('root/hard-lines.env'));
  writeFileSync(inside('etc/systemd/system/try.service'), UNIT);
  writeFileSync(inside('etc/fstab'), '/dev/vda / ext4 defaults 0 1\n');
  run('chroot', system, 'systemctl', 'enable', '--quiet', 'try');
}

/** The same package as if it were of a later release with another unit. */
function writeNewer(file: string, folder: string, to: string): void {
  run('dpkg-deb', '--raw-extract', file, folder);
  const change = (path: string, pattern: RegExp, text: string) => {
    const content = readFileSync(join(folder, path), 'utf8');
    writeFileSync(join(folder, path), content.replace(pattern, text));
  };
  change('DEBIAN/control', /^Version: .*$/m, 'Version: 99.0-1');
  change('usr/lib/systemd/system/gastpass.service', /^Description=.*$/m, '$& of a newer release');
  run('dpkg-deb', '--root-owner-group', '-Znone', '--build', folder, to);
}

/** Prints what the machine writes to its console. */
async function boot(system: string, folder: string): Promise<boolean> {
  const disk = join(folder, 'disk');
  run('truncate', '--size=3G', disk);
  run('mke2fs', '-q', '-t', 'ext4', '-d', system, disk);
  const [kernel = '', initrd = ''] = ['vmlinuz-*', 'initrd.img-*'].map(
    (pattern) => globSync(join(system, 'boot', pattern))[0],
  );
  const [program = '', ...kind] = machine.qemu.split(' ');
  const words = [
    ...kind,
    ...['-smp', '2', '-m', '2048', '-nographic', '-no-reboot', '-net', 'none'],
    ...['-drive', `file=${disk},format=raw,if=virtio`, '-kernel', kernel, '-initrd', initrd],
    ...[
      '-append',
      `root=/dev/vda rw quiet systemd.show_status=0 systemd.getty_auto=0 console=${machine.console}`,
    ],
  ];
  console.log('booting it; this takes minutes …');
  const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'inherit'], timeout: MAX_MS });
  process.once('SIGINT', () => child.kill());
  let isGood = false;
  for await (const line of createInterface({ input: child.stdout })) {
    const said = line.trimEnd();
    if (said === 'the end: 0 failed') isGood = true;
    const [, version, settings] = /^settings (\d+) (\S+)$/.exec(said) ?? [];
    if (version && settings) writeRecord(Buffer.from(settings, 'base64'), version);
    else if (said !== '') console.log(said);
  }
  if (!isGood) console.log('BAD   a step failed, or the machine stopped before the end');
  return isGood;
}

function codename(): string {
  return /^VERSION_CODENAME=(\w+)$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? 'stable';
}
