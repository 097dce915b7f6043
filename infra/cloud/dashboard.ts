import { METRICS_NAMESPACE } from '../../functions/http/emf.ts';
import type { CloudFunction } from './functions.ts';

/** To be substituted by the template: the table's name, and the region of the stack. */
const TABLE = '${Table}';
const REGION = '${AWS::Region}';
const WIDTH = 12;
const HEIGHT = 6;

type Line = readonly (string | { readonly stat?: string; readonly label?: string })[];

/** The body of the dashboard, as JSON; `${Table}` and `${AWS::Region}` are left to the template (Fn::Sub). */
export function dashboardBody(functions: readonly CloudFunction[]): string {
  const ofLambda = (metric: string, stat: string): Line[] =>
    functions.map((fn) => ['AWS/Lambda', metric, 'FunctionName', fn.functionName, { stat, label: fn.name }]);
  const own = (metric: string, stat: string): Line => [METRICS_NAMESPACE, metric, 'Table', TABLE, { stat }];
  const ofController = (metric: string, stat: string): Line[] =>
    functions
      .filter((fn) => fn.role === 'controller')
      .map((fn) => [METRICS_NAMESPACE, metric, 'Table', TABLE, 'Controller', fn.name, { stat, label: fn.name }]);
  const ofTable = (metric: string): Line => ['AWS/DynamoDB', metric, 'TableName', TABLE, { stat: 'Sum' }];
  const widgets: readonly (readonly [string, readonly Line[]])[] = [
    ['Leases without a holder, keys overdue', [own('NoHolder', 'Maximum'), own('OverdueKeys', 'Maximum')]],
    ['Age of the oldest overdue key, ms', [own('OldestOverdueMs', 'Maximum')]],
    ['Keys by controller', ofController('Keys', 'Sum')],
    ['Time of a batch by controller, ms, p95', ofController('DurationMs', 'p95')],
    [
      'Passes that were put off or failed',
      [own('Retries', 'Sum'), own('Busy', 'Sum'), own('Left', 'Sum'), own('Refusals', 'Sum')],
    ],
    ['Calls', ofLambda('Invocations', 'Sum')],
    ['Errors', ofLambda('Errors', 'Sum')],
    ['Throttles', ofLambda('Throttles', 'Sum')],
    [
      'Units of the table',
      [
        ofTable('ConsumedReadCapacityUnits'),
        ofTable('ConsumedWriteCapacityUnits'),
        ofTable('ReadThrottleEvents'),
        ofTable('WriteThrottleEvents'),
      ],
    ],
  ];
  return JSON.stringify({
    widgets: widgets.map(([title, metrics], i) => ({
      type: 'metric',
      x: (i % 2) * WIDTH,
      y: Math.floor(i / 2) * HEIGHT,
      width: WIDTH,
      height: HEIGHT,
      properties: { title, metrics, region: REGION, period: 300, view: 'timeSeries' },
    })),
  });
}
