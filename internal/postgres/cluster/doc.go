// Package cluster runs the private PostgreSQL that Quaestor uses when no database is
// configured.
//
//	Provision   finds a server with pgvector, else builds a private copy
//	Find        returns the server that would be used; Candidates, why the others would not
//	Start       makes the data folder once, runs the server, keeps it running
//
// Invariants:
//
//   - A data folder is never deleted and never overwritten. A new one is made
//     beside its final place and renamed when complete; a folder that is not
//     ours is refused untouched.
//   - There is no TCP listener and no password: the way in is a unix socket in
//     a folder that only the server's own account (and root) can enter.
//   - PostgreSQL refuses to run as root, so root runs it as the account that
//     owns the data folder, else postgres, else nobody.
//   - The server ends with the process that started it. On Linux the kernel
//     ensures that even after kill -9; elsewhere the next Start adopts it.
//   - A lock file in the data folder, inherited by every server process, keeps
//     two servers apart, also when they cannot see each other's process ids.
//
// A second Start on the same data folder adopts the running server. Its Stop
// leaves that server running; if the first process ends, the second one starts
// the server again under the same address.
package cluster
