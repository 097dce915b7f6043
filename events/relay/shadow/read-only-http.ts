import type { Http } from '../ports.ts';

/** The API server for somebody who must not write: whatever is not a GET never leaves. */
export function readOnly(http: Http): Http {
  return {
    request: (request) =>
      request.method === 'GET'
        ? http.request(request)
        : Promise.reject(new Error(`a shadow does not write: ${request.method} ${request.path}`)),
    stream: (request) => http.stream(request),
  };
}
