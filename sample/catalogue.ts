// The software, owners and plugins of the sample: all fictional, with names that are awkward to print.

import type { MadeOwner, MadePlugin, MadeSoftware } from '../catalogues/records.ts';

/**
 * The time before the two months, for a plugin whose past is known: a point each six hours, and histories of
 * its shares.
 */
export interface SamplePast {
  /** Servers at its beginning, as a share of those at its end. */
  readonly levelShare: number;
  /** Hours between two times of a history; in the two months, and before if it is six or more. */
  readonly stepHours: number;
}

/** A plugin and the shape of its lines. */
export interface SamplePlugin extends MadePlugin {
  /** Servers at the start; 0 is a plugin that no server runs. */
  readonly serverCount: number;
  readonly playersPerServer: number;
  /** Growth over the two months, as a share: 0.1 is 10% more, -0.2 is 20% less. */
  readonly growth: number;
  /** Hour (UTC) at which most players are online. */
  readonly peakHour: number;
  /** Day of the first point, counted from 0. */
  readonly firstDay: number;
  /** Day without points, counted from 0. */
  readonly outageDay: number | undefined;
  readonly past: SamplePast | undefined;
}

/** The plugin used in examples. */
export const examplePluginId = 1337;

/** The plugin that was registered but has no charts. */
export const barePluginId = 9002;

/** The plugin with a chart of every type and of every odd kind. */
export const museumPluginId = 4242;

const velocity: MadeSoftware = { id: 5, name: 'Velocity', url: 'velocity', globalPluginId: 5 };
const bukkit: MadeSoftware = { id: 1, name: 'Bukkit / Spigot', url: 'bukkit', globalPluginId: 1 };
const bungeecord: MadeSoftware = { id: 2, name: 'Bungeecord', url: 'bungeecord', globalPluginId: 2 };
const sponge: MadeSoftware = { id: 3, name: 'Sponge', url: 'sponge', globalPluginId: 3 };
const server: MadeSoftware = {
  id: 4,
  name: 'Server Implementation',
  url: 'server-implementation',
  globalPluginId: null,
};
const fabric: MadeSoftware = { id: 12, name: 'Fabric', url: 'fabric', globalPluginId: 12 };

/** Every software, not sorted by id, since an archive need not be sorted. */
export const software: readonly MadeSoftware[] = [velocity, bukkit, fabric, bungeecord, server, sponge];

/** True if the software passes players on to servers instead of running a world. */
export function isProxy(softwareId: number): boolean {
  return softwareId === bungeecord.id || softwareId === velocity.id;
}

const admin: MadeOwner = { id: 1, name: 'Admin' };
const exampleUser: MadeOwner = { id: 42, name: 'ExampleUser' };
const harborworks: MadeOwner = { id: 77, name: 'harborworks' };
const obrien: MadeOwner = { id: 108, name: "K. O'Brien & Söhne" };
const xiaohe: MadeOwner = { id: 256, name: '小河' };
const vetka: MadeOwner = { id: 512, name: 'Ветка' };
const layla: MadeOwner = { id: 901, name: 'ليلى' };

type Identity = readonly [id: number, name: string, owner: MadeOwner, software: MadeSoftware];
type Usual = 'playersPerServer' | 'growth' | 'peakHour' | 'firstDay' | 'outageDay' | 'past';
type Lines = Pick<SamplePlugin, 'serverCount'> & Partial<Pick<SamplePlugin, Usual>>;

function plugin([id, name, owner, { id: softwareId }]: Identity, lines: Lines): SamplePlugin {
  return {
    id,
    name,
    owner,
    softwareId,
    isGlobal: owner === admin,
    playersPerServer: 2,
    growth: 0,
    peakHour: 18,
    firstDay: 0,
    outageDay: undefined,
    past: undefined,
    ...lines,
  };
}

/** Every plugin, global ones first. */
export const plugins: readonly SamplePlugin[] = [
  plugin([1, '_bukkit_', admin, bukkit], {
    serverCount: 104_000,
    playersPerServer: 1.3,
    growth: 0.03,
    past: { levelShare: 0.88, stepHours: 24 },
  }),
  plugin([2, '_bungeecord_', admin, bungeecord], { serverCount: 8_600, playersPerServer: 6, growth: -0.06 }),
  plugin([3, '_sponge_', admin, sponge], { serverCount: 640, growth: -0.1 }),
  plugin([5, '_velocity_', admin, velocity], { serverCount: 19_500, playersPerServer: 5, growth: 0.08 }),
  plugin([12, '_fabric_', admin, fabric], { serverCount: 4_100, growth: 0.12 }),

  plugin([examplePluginId, 'ExamplePlugin', exampleUser, bukkit], {
    serverCount: 2_400,
    growth: 0.09,
    past: { levelShare: 0.12, stepHours: 1 },
  }),
  plugin([2048, 'HarborHomes', harborworks, bukkit], {
    serverCount: 41_000,
    growth: 0.02,
    past: { levelShare: 0.7, stepHours: 24 },
  }),
  plugin([2049, 'HarborGate', harborworks, velocity], {
    serverCount: 1_250,
    playersPerServer: 7,
    growth: 0.15,
    past: { levelShare: 0.25, stepHours: 24 },
  }),
  plugin([2050, 'HarborStalls 🎆', harborworks, bukkit], { serverCount: 310, growth: 0.6 }),
  plugin([2101, 'Signs & <b>"Posters"</b>', obrien, bukkit], { serverCount: 870, growth: -0.12 }),
  plugin([2102, "Miner's Lantern", obrien, fabric], { serverCount: 160, growth: 0.25 }),
  plugin([2103, 'QueueKeeper', obrien, bungeecord], { serverCount: 95, playersPerServer: 11, outageDay: 33 }),
  plugin([2888, '方块保护', xiaohe, bukkit], { serverCount: 5_300, playersPerServer: 3, peakHour: 12 }),
  plugin([2889, '烟花 🎇 插件', xiaohe, sponge], { serverCount: 28, peakHour: 12 }),
  plugin([3303, 'Магазинчик', vetka, bukkit], { serverCount: 720, growth: 0.05, peakHour: 16 }),
  plugin([3304, 'Ёлка: сервер', vetka, server], { serverCount: 44, playersPerServer: 4, peakHour: 16 }),
  plugin([3660, 'حارس البوابة', layla, velocity], { serverCount: 210, playersPerServer: 3, peakHour: 17 }),
  plugin([3661, 'FallenLeaves', layla, bukkit], { serverCount: 0 }),
  plugin([museumPluginId, 'ChartMuseum', exampleUser, bukkit], {
    serverCount: 130,
    growth: 0.2,
    past: { levelShare: 0.4, stepHours: 24 * 7 },
  }),
  plugin([9001, 'FreshPaint', exampleUser, server], { serverCount: 4, growth: 0.5, firstDay: 57 }),
  plugin([barePluginId, 'BareBones', exampleUser, fabric], { serverCount: 0 }),
];
