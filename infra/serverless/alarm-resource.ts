import type { CloudAlarm } from '../cloud/alarms.ts';
import { type Resource, ref, TABLE } from './resource.ts';

export function alarmResource(alarm: CloudAlarm, deployment: string, topicArn: string | undefined): Resource {
  const dimension =
    alarm.of === 'table'
      ? { Name: 'Table', Value: ref(TABLE) }
      : { Name: 'FunctionName', Value: alarm.of.functionName };
  return {
    Type: 'AWS::CloudWatch::Alarm',
    Properties: {
      AlarmName: `${deployment}-${alarm.name}`,
      AlarmDescription: alarm.description,
      Namespace: alarm.namespace,
      MetricName: alarm.metric,
      Dimensions: [dimension],
      Statistic: alarm.statistic,
      Period: alarm.periodSeconds,
      Threshold: alarm.threshold,
      EvaluationPeriods: alarm.periods,
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
      TreatMissingData: alarm.whenMissing,
      ...(topicArn !== undefined && { AlarmActions: [topicArn] }),
    },
  };
}
