// A private PostgreSQL for machines that have none: server binaries from an npm package, one cluster below the data
// folder, and a Unix socket that only we can enter.
//
//   <directory>/            mode 700 (711 when root has to lend the cluster to a system user)
//     lock, holder.json     who runs this folder now
//     password              of the database user, mode 600
//     cluster/              PostgreSQL's own data folder
//     socket/, log/         where it listens, what it says
//     start.log             what the last start said before the log was open
//     initialising-*/       a cluster that is being made; renamed when complete
//     binaries-*/           a copy of the binaries, only where the database's user cannot reach node_modules

export { DataFolderInUse } from "./lock.ts";
export { findRunningDatabase } from "./running-database.ts";
export { type EmbeddedDatabase, startEmbeddedDatabase } from "./start.ts";
