// Package mysql reads MySQL and MariaDB.
//
// A statement is sent alone: the connection does not accept several, and does not send files. It
// must begin like a query and must not contain INTO, and it runs in a read-only transaction that
// is always rolled back. Time, memory, rows and modes are set before each statement, and locks that
// it may have taken are released afterwards. If a statement does not end in time, its connection is
// killed from another one.
package mysql
