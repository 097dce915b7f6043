import type { KubeObject } from '../../../functions/core/objects.ts';

export type WatchEvent =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK'; readonly object: KubeObject }
  | { readonly type: 'ERROR'; readonly object: { readonly code?: number; readonly message?: string } };

/** Splits a watch's bytes into its events, one JSON object a line. */
export async function* watchEvents(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<WatchEvent> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    rest += decoder.decode(chunk, { stream: true });
    let end = rest.indexOf('\n');
    let start = 0;
    for (; end >= 0; end = rest.indexOf('\n', start)) {
      const line = rest.slice(start, end);
      start = end + 1;
      if (line.length > 0) yield JSON.parse(line) as WatchEvent;
    }
    rest = rest.slice(start);
  }
}
