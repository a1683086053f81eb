/** Small disks for a test: in memory, or a file with ext4 on it whose power can be cut. They need root. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';

/** A mounted disk; disposing of it unmounts and deletes it. */
export interface Disk extends Disposable {
  readonly path: string;
}

/** A disk on which power can be lost. */
export interface PowerDisk extends Disk {
  /** Cuts the power: nothing reaches the disk from now on, and unflushed writes are lost. */
  readonly cutPower: () => void;
  /** Mounts what is left, as after a reboot. No process may use the disk any more. */
  readonly restart: () => void;
}

/** Mounts a disk in memory. Throws an Error with the reason if that is not permitted. */
export function mountMemory(path: string, sizeBytes: number): Disk {
  mkdirSync(path);
  mount(['-t', 'tmpfs', '-o', `size=${sizeBytes}`, 'none', path]);
  return { path, [Symbol.dispose]: () => remove(path) };
}

/** Makes and mounts ext4 on a loop device. Throws an Error with the reason if that is not permitted. */
export function mountPowerDisk(path: string, sizeBytes: number): PowerDisk {
  const image = `${path}.img`;
  writeFileSync(image, '');
  truncateSync(image, sizeBytes);
  execFileSync('mkfs.ext4', ['-q', '-F', image]);
  mkdirSync(path);
  const start = () => mount(['-o', 'loop', image, path]);
  start();
  return {
    path,
    cutPower() {
      // EXT4_IOC_SHUTDOWN with EXT4_GOING_FLAGS_NOLOGFLUSH; Node has no ioctl.
      const cut = `import fcntl, os, struct, sys
fcntl.ioctl(os.open(sys.argv[1], os.O_RDONLY), 0x8004587d, struct.pack('I', 2))`;
      execFileSync('python3', ['-c', cut, path]);
    },
    restart() {
      unmount(path);
      start();
    },
    [Symbol.dispose]() {
      remove(path);
      rmSync(image);
    },
  };
}

function mount(argv: readonly string[]): void {
  try {
    execFileSync('mount', argv, { stdio: ['ignore', 'ignore', 'pipe'] });
  } catch (cause) {
    throw new Error(`this test needs root and the right to mount: mount ${argv.join(' ')} failed`, { cause });
  }
}

function unmount(path: string): void {
  execFileSync('umount', [path]);
}

function remove(path: string): void {
  unmount(path);
  rmSync(path, { recursive: true });
}
