// Package feed carries what is appended to event logs to those who follow them, on
// this instance and on others.
//
//	writer ── commit ──┬─► Topics.Deliver ─► Subscription.Next    on this instance, from memory
//	                   └─► Bus.Send ══ NOTIFY ══► Topics.Hint ─► Subscription.Next    elsewhere, from the rows
//
// Rows carry, notifications wake. A writer hands what it has committed to the
// subscriptions of its own process, which then need not read it. Everybody else is told
// that there is more by a [Bus], and reads what it lacks from the table. A notification
// may be lost: a [Subscription] also reads unasked now and then, and every one is told to
// read when the connection that listens comes back.
//
// A subscription brings every event once and in the order of its number, however the news
// arrived. What a log is, how it is read and which messages instances
// send each other is for the packages that use this one to define.
package feed
