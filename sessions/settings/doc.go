// Package settings owns what an organisation has set for itself: bounds of its
// interviews and its research, how long things are kept, what is held back from
// deletion, and the journal of who decided what.
//
// What an organisation has not set is the server's to say: [Policy.Over] gives what
// is in force. It is read from the database where it is used, in the batch that
// reads the rest, so that a change holds at once on every server.
//
// The rules of retention ([Sweep]) delete what is over its time in small batches,
// each in a transaction with its line in the journal: whatever stops them, what is
// gone is written down, and the next round goes on with the rest. They touch no
// session that a turn runs in, and none that is held. [Forecast] counts what they
// would delete by the same rule.
package settings
