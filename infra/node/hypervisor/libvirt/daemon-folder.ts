import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { shortPath } from './short-path.ts';

/** `private`: as root, in a mount and pid namespace of its own. `session`: as a normal user, libvirt's session mode. */
export type DaemonMode = 'private' | 'session';

export interface DaemonFolder {
  readonly mode: DaemonMode;
  readonly path: string;
  /** The daemon's socket as seen by clients. */
  readonly socket: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Drivers other than QEMU's would look for programs and daemons that nothing here needs. */
const DRIVER_FOLDERS = [
  '/usr/lib/x86_64-linux-gnu/libvirt/connection-driver',
  '/usr/lib64/libvirt/connection-driver',
  '/usr/lib/libvirt/connection-driver',
];
const QEMU_DRIVER = 'libvirt_driver_qemu.so';

/** No logging daemon, no security labels, no control groups: none of them is there for a daemon of one's own. */
const QEMU_SETTINGS = ['security_driver = "none"', 'stdio_handler = "file"'];
const PRIVATE_QEMU_SETTINGS = [
  ...QEMU_SETTINGS,
  'user = "root"',
  'group = "root"',
  'dynamic_ownership = 0',
  'remember_owner = 0',
  'namespaces = []',
  'cgroup_controllers = []',
];
const PRIVATE_DAEMON_SETTINGS = [
  'listen_tls = 0',
  'unix_sock_group = "root"',
  'unix_sock_rw_perms = "0700"',
  'auth_unix_ro = "none"',
  'auth_unix_rw = "none"',
  'log_outputs = "2:file:/var/log/libvirt/libvirtd.log"',
];

/** Makes the folder with all that a daemon of the project's own needs; what is there already is kept. */
export function prepareDaemonFolder(mode: DaemonMode, folder: string): DaemonFolder {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return mode === 'private' ? preparePrivate(folder) : prepareSession(folder);
}

function preparePrivate(folder: string): DaemonFolder {
  for (const name of ['etc/qemu', 'lib/qemu', 'log', 'cache', 'run/libvirt', 'run/lock']) makeFolder(folder, name);
  writeSettings(join(folder, 'etc/libvirtd.conf'), PRIVATE_DAEMON_SETTINGS);
  writeSettings(join(folder, 'etc/qemu.conf'), PRIVATE_QEMU_SETTINGS);
  writeSettings(join(folder, 'etc/libvirt.conf'), []);
  const socket = join(shortPath(folder), 'run/libvirt/libvirt-sock');
  return { mode: 'private', path: folder, socket, env: driverFolder(folder) };
}

function prepareSession(folder: string): DaemonFolder {
  const path = shortPath(folder);
  for (const name of ['etc', 'home', 'config/libvirt', 'data', 'cache', 'run']) makeFolder(path, name);
  writeSettings(join(path, 'etc/libvirtd.conf'), [`log_outputs = "2:file:${join(path, 'libvirtd.log')}"`]);
  writeSettings(join(path, 'config/libvirt/qemu.conf'), QEMU_SETTINGS);
  const env = {
    ...driverFolder(path),
    HOME: join(path, 'home'),
    XDG_CONFIG_HOME: join(path, 'config'),
    XDG_DATA_HOME: join(path, 'data'),
    XDG_CACHE_HOME: join(path, 'cache'),
    XDG_RUNTIME_DIR: join(path, 'run'),
  };
  return { mode: 'session', path, socket: join(path, 'run/libvirt/libvirt-sock'), env };
}

/** A folder with the QEMU driver alone; where that is not found the daemon loads what it has. */
function driverFolder(folder: string): NodeJS.ProcessEnv {
  const driver = DRIVER_FOLDERS.map((f) => join(f, QEMU_DRIVER)).find((path) => existsSync(path));
  if (driver === undefined) return {};
  const link = join(folder, 'drivers', QEMU_DRIVER);
  makeFolder(folder, 'drivers');
  rmSync(link, { force: true });
  symlinkSync(driver, link);
  return { LIBVIRT_DRIVER_DIR: dirname(link) };
}

function makeFolder(folder: string, name: string): void {
  mkdirSync(join(folder, name), { recursive: true, mode: 0o700 });
}

function writeSettings(path: string, lines: readonly string[]): void {
  writeFileSync(path, lines.map((line) => `${line}\n`).join(''));
}
