import type { LambdaContext, LambdaEvent } from 'hono/aws-lambda';

/** An event of payload format 2, as a function URL makes it of a POST. */
export function lambdaEvent(
  path: string,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array,
  encoding: 'text' | 'base64',
): LambdaEvent {
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath: path,
    rawQueryString: '',
    headers: { ...headers, host: 'function.example' },
    body: Buffer.from(body).toString(encoding === 'base64' ? 'base64' : 'utf8'),
    isBase64Encoded: encoding === 'base64',
    requestContext: {
      accountId: 'anonymous',
      apiId: 'api',
      authentication: null,
      authorizer: {},
      domainName: 'function.example',
      domainPrefix: 'function',
      http: { method: 'POST', path, protocol: 'HTTP/1.1', sourceIp: '192.0.2.1', userAgent: 'relay' },
      requestId: 'request-1',
      routeKey: '$default',
      stage: '$default',
      time: '01/Jan/2026:00:00:00 +0000',
      timeEpoch: 1,
    },
  } as unknown as LambdaEvent;
}

export function lambdaContext(remainingMs: number): LambdaContext {
  return {
    awsRequestId: 'request-1',
    callbackWaitsForEmptyEventLoop: false,
    functionName: 'widget',
    functionVersion: '$LATEST',
    invokedFunctionArn: 'arn:aws:lambda:local:0:function:widget',
    memoryLimitInMB: '256',
    logGroupName: 'group',
    logStreamName: 'stream',
    identity: {},
    clientContext: {},
    getRemainingTimeInMillis: () => remainingMs,
  } as unknown as LambdaContext;
}
