// Package postgrestest gives tests a real PostgreSQL.
//
//	Tx   a transaction that is rolled back: for most storage tests
//	DB   a database of one's own: for commits, NOTIFY, River, several connections
//	URL  the same as an address: for tests that start the program
//
// Each user and checkout has one private cluster, shared by all test processes
// of a run and by the runs that follow. The first process starts a keeper, the
// test binary itself run again in the background, and the keeper starts the
// server. Every process holds a shared lock on a file while it lives; two
// minutes after the last one has gone the keeper stops the server and ends.
// If the keeper is killed the kernel stops the server, and the next process
// starts both again.
//
// A database is a clone of a template that holds the migrated schema. The
// template is made once for each state of the migrations. Databases are named
// after the process that made them, so the keeper can drop those of processes
// that never cleaned up.
//
// The cluster lies in memory (/dev/shm) where that has room, unless TMPDIR names
// another place. The server does not sync to disk in any case, so nothing here can
// show what a power cut does; package cluster has its own tests for crashes.
package postgrestest
