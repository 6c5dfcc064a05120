// Package erasure deletes an organisation for good: every row of every table that belongs to it, its
// jobs, and the folders of its own files. It owns no table. Which tables there are, and in which order they can be emptied, it reads from the
// catalogue of the database, so that a new table is not forgotten.
//
// It works while servers run. First the organisation is closed, which ends all of its credentials and
// hides it from the jobs that go through all organisations; then its jobs are cancelled and its folders deleted; then its tables
// are emptied, a batch of rows in each transaction; and at last its own row goes, on which all others
// depend, so that nothing can be written for it any more. Whatever stops that, it goes on from there when
// it is asked for again.
//
// It connects as the owner of the tables, because the application may not delete what it only adds to,
// such as journals. The owner is held to row-level security too, unless it is a superuser.
package erasure
