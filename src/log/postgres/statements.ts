/**
 * Tables and statements of a PostgreSQL store.
 *
 * An event is kept as the line a log file would hold: `text`, not `jsonb`, which would refuse the character U+0000 and
 * lose the order of keys.
 *
 * @module
 */

/** Layout that this version reads and writes. */
export const LAYOUT = 1
/** First key of the advisory locks that say which stores are alive. */
export const ALIVE = 0x7475726e
/** First key of the lock under which tables are made. */
export const MAKING = 0x6d616b65

export const tables = (schema: string): string => `
  create schema if not exists ${schema};
  create table if not exists ${schema}.layout (version integer not null);
  create table if not exists ${schema}.sessions (
    key bigint generated always as identity primary key,
    id text collate "C" not null unique,
    header text not null,
    version integer not null,
    epoch integer not null default 0,
    last_append text not null default '',
    owner text,
    mark integer,
    lease_until timestamptz
  ) with (fillfactor = 50);
  create table if not exists ${schema}.events (
    session bigint not null,
    seq integer not null,
    body text not null,
    primary key (session, seq)
  );
  create table if not exists ${schema}.inbox (
    place bigint generated always as identity primary key,
    session bigint not null,
    id text not null,
    body text not null,
    taken boolean not null default false,
    unique (session, id)
  );
  insert into ${schema}.layout select ${LAYOUT} where not exists (select from ${schema}.layout);
`

/** Nobody who is alive holds session `s`: the lease was given back or ran out, or the store of its owner is gone. */
const FREE = `(s.owner is null or s.lease_until <= clock_timestamp() or s.mark is not null and not exists (
    select from pg_locks l join pg_database d on d.oid = l.database
    where l.locktype = 'advisory' and l.granted and d.datname = current_database()
      and l.classid = ${ALIVE} and l.objid::bigint = s.mark and l.objsubid = 2))`

const HEAD = 'version, epoch, last_append as "lastAppend"'

/** Every statement, by its name. */
export const statements = (schema: string) => ({
  /**
   * A group of appends. Rows are locked in the order of their keys, so that two groups cannot wait for each other; the
   * update then looks at the newest version of each row, whatever its snapshot says.
   */
  commit: `with input as (
      select * from unnest($1::text[], $2::text[], $3::integer[], $4::integer[], $5::integer[])
        with ordinality as i (session, append, version, epoch, count, place)
    ), locked as materialized (
      select s.key, s.id, s.version, s.epoch, s.last_append from ${schema}.sessions s
        where s.id = any ($1::text[]) order by s.key for update
    ), advanced as (
      update ${schema}.sessions s set version = i.version + i.count, last_append = i.append
        from input i join locked on locked.id = i.session
        where s.key = locked.key and s.version = i.version and s.epoch = i.epoch
        returning s.key, i.place
    ), added as (
      insert into ${schema}.events (session, seq, body)
        select advanced.key, e.seq, e.body
        from unnest($6::integer[], $7::integer[], $8::text[]) as e (place, seq, body)
        join advanced on advanced.place = e.place
    )
    select i.place::integer, l.version, l.epoch, l.last_append as "lastAppend",
        advanced.key is not null as recorded
      from input i join locked l on l.id = i.session
      left join advanced on advanced.place = i.place`,
  create: `with made as (
      insert into ${schema}.sessions (id, header, version) values ($1, $2, $3)
        on conflict (id) do nothing returning key
    ), added as (
      insert into ${schema}.events (session, seq, body)
        select made.key, b.place - 1, b.body
        from made, unnest($4::text[]) with ordinality as b (body, place)
    )
    select key from made`,
  head: `select header, ${HEAD} from ${schema}.sessions where id = $1`,
  rows: `select e.seq, e.body from ${schema}.events e join ${schema}.sessions s on s.key = e.session
    where s.id = $1 and e.seq >= $2 order by e.seq limit $3`,
  claim: `update ${schema}.sessions s set epoch = s.epoch + 1, owner = $2, mark = $3,
      lease_until = clock_timestamp() + $4 * interval '1 millisecond'
    where s.id = $1 and ($5::boolean or ${FREE}) returning s.epoch`,
  holding: `select coalesce(s.owner, '') as owner, greatest(0,
      ceil(extract(epoch from s.lease_until - clock_timestamp()) * 1000))::float8 as "leftMs"
    from ${schema}.sessions s where s.id = $1`,
  renew: `update ${schema}.sessions s
    set lease_until = clock_timestamp() + l.ttl * interval '1 millisecond'
    from unnest($1::text[], $2::integer[], $3::float8[]) with ordinality
      as l (id, epoch, ttl, place)
    where s.id = l.id and s.epoch = l.epoch returning l.place::integer`,
  release: `update ${schema}.sessions set owner = null, mark = null where id = $1 and epoch = $2`,
  remove: `with gone as (
      delete from ${schema}.sessions s where s.id = $1 and ${FREE} returning s.key
    ), events as (
      delete from ${schema}.events e using gone where e.session = gone.key
    ), inbox as (
      delete from ${schema}.inbox i using gone where i.session = gone.key
    )
    select key from gone`,
  list: `select header, version from ${schema}.sessions where id > $1 order by id limit $2`,
  send: `insert into ${schema}.inbox (session, id, body)
    select key, $2, $3 from ${schema}.sessions where id = $1
    on conflict (session, id) do nothing`,
  pending: `select i.id, i.body from ${schema}.inbox i join ${schema}.sessions s on s.key = i.session
    where s.id = $1 and not i.taken order by i.place`,
  taken: `update ${schema}.inbox i set taken = true from ${schema}.sessions s
    where s.id = $1 and i.session = s.key and i.id = any ($2::text[])`,
})

export type StatementName = keyof ReturnType<typeof statements>
