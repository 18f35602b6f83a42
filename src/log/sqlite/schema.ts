/**
 * Tables and settings of a SQLite store.
 *
 * An event is kept as the line a log file would hold, so nothing is lost on the way and `sqlite3` with `json_extract`
 * can read it.
 *
 * @module
 */

/** Ms that a statement waits for the writer of another process. */
export const BUSY_TIMEOUT_MS = 5000

/** What every connection is set to. A commit returns once it is on disk, also after a power failure. */
export const SETTINGS = `
  pragma busy_timeout = ${BUSY_TIMEOUT_MS};
  pragma journal_mode = wal;
  pragma synchronous = full;
`

export const TABLES = `
  create table if not exists sessions (
    key integer primary key,
    id text not null unique,
    header text not null,
    version integer not null,
    epoch integer not null,
    last_append text not null,
    owner text,
    mark text,
    lease_until integer not null
  ) strict;
  create table if not exists events (
    session integer not null,
    seq integer not null,
    body text not null,
    primary key (session, seq)
  ) strict, without rowid;
  create table if not exists inbox (
    place integer primary key,
    session integer not null,
    id text not null,
    body text not null,
    taken integer not null,
    unique (session, id)
  ) strict;
`

/** Written by an append and by nothing else; a reader knows from it which layout it meets. */
export const LAYOUT = 1
