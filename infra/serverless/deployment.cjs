/** What serverless.yml reads: the deployment with the parameters that were given (`--param="auth=hmac"`). */
module.exports = async ({ resolveVariable }) => {
  const { serverlessDeployment, SETTINGS } = await import('./deployment.ts');
  const given = await Promise.all(SETTINGS.map(async (name) => [name, await resolveVariable(`param:${name}, ''`)]));
  const texts = new Map(given.filter(([, text]) => text !== '').map(([name, text]) => [name, String(text)]));
  return serverlessDeployment((setting) => texts.get(setting));
};
