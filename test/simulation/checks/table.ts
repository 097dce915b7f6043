import type { Item } from '../../../functions/store/attribute-value.ts';
import type { World } from '../world/world.ts';

/** Single-item conditional writes: no pass overwrites what another has written since it read, and no older token a newer one's. */
export function watchTable(world: World): void {
  world.tableModel.onWrite = (before, after) => {
    const key = `${after['pk']?.S} ${after['sk']?.S}`;
    const number = (item: Item | undefined, name: string) => Number(item?.[name]?.N ?? 0);
    if (number(after, 'token') < number(before, 'token')) world.complaints.push(`${key}: the token falls`);
    if (after['version'] === undefined) return;
    if (number(after, 'version') !== number(before, 'version') + 1)
      world.complaints.push(`${key}: version ${number(after, 'version')} over ${number(before, 'version')}`);
  };
}
