// Plain JavaScript that old versions of Node can run: everything else here can't.
const REQUIRED = 24;

const major = Number(process.versions.node.split('.')[0]);
if (major < REQUIRED) {
  process.stderr.write(
    `virt-functions needs Node ${REQUIRED}, this is ${process.version}: run "npm install" (it brings Node ${REQUIRED} on Linux, as an optional package) and start through npm, or install Node ${REQUIRED}.\n`,
  );
  process.exit(1);
}
