// Package mysql reads MySQL and MariaDB.
//
// A statement goes to the server alone: the connection does not take several, and
// sends no files. It must begin as a query and have no INTO, and runs in a
// transaction that is read only and always rolled back. Its time, memory, rows and
// modes are set anew before each; locks it may have taken are released. A
// connection whose statement did not end in time is killed by another one.
package mysql
