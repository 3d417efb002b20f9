/**
 * A path with a query, in form encoding as the daemon reads it, for every parameter alike: a blank is a `+`, and a
 * plus sign is `%2B`. What is empty is left out.
 *
 * @param {string} path
 * @param {Record<string, string | number | null | undefined> | URLSearchParams} values
 */
export function withQuery(path, values) {
  const query = new URLSearchParams();
  const pairs = values instanceof URLSearchParams ? values : Object.entries(values);
  for (const [name, value] of pairs)
    if (value !== null && value !== undefined && value !== '') query.append(name, String(value));
  const text = query.toString();
  return text ? `${path}?${text}` : path;
}
