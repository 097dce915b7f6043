import type { KubeObject } from '../../../functions/core/objects.ts';
import type { KubeApi } from '../kube/api.ts';

export interface Listed {
  readonly objects: readonly KubeObject[];
  readonly position: string;
}

const PAGE_SIZE = 500;

interface Page {
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
  /** `null` in a list of metadata without objects. */
  readonly items: readonly KubeObject[] | null;
}

/**
 * All objects of a collection, consistently: without `resourceVersion` the server answers from its newest state. `accept`
 * is the form that is asked for (`wanted-form.ts`). A continue
 * token that expired while paging (410) surfaces as `ApiRefusal`; the caller lists again.
 */
export async function listPages(api: KubeApi, path: string, selector: string, accept: string): Promise<Listed> {
  const objects: KubeObject[] = [];
  let token = '';
  for (;;) {
    const query = [`limit=${PAGE_SIZE}`, selector, token === '' ? '' : `continue=${encodeURIComponent(token)}`].filter(
      (q) => q !== '',
    );
    const page = await api.request<Page>({ method: 'GET', path: `${path}?${query.join('&')}`, accept });
    objects.push(...(page.items ?? []));
    token = page.metadata.continue ?? '';
    if (token === '') return { objects, position: page.metadata.resourceVersion };
  }
}
