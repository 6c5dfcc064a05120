// Where a key leads in a row of places.

/**
 * nextPlace returns the place that an arrow key leads to from the place at, of
 * count; -1 where it leads nowhere: past an end, from no place, by another key.
 */
export function nextPlace(at, key, count) {
  const by = { ArrowDown: 1, ArrowUp: -1 }[key] ?? 0;
  const to = at + by;
  return at < 0 || by === 0 || to < 0 || to >= count ? -1 : to;
}
