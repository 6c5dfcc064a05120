package sessions

import (
	"context"

	"quaestor/internal/postgres"
	"quaestor/sessions/internal/dbsqlc"
)

// Stand is how a session stands for who is about to take a turn in it, as far as
// the turn rests on it.
type Stand struct {
	Version int64 // of the session
	Last    int64 // number of its last event
	Policy  int   // version of what the tenant has set; 0 when that is nothing
	Part    Part  // the speaker's
}

// TakeTurn queues a whole turn, from its beginning to its end, in place of what
// [BeginTurn], [FinishTurn], [AddMessage] and [Append] queue: events are all of the
// turn's, the event "session" first, and reply may be nil. It fails the batch when
// the session is not there, takes no turns or does not stand like that any more
// ([IsStale]), or when the client message id was used ([IsClientMessageUsed]). The
// turn is o.Turn, done in its first attempt; it takes no files.
func TakeTurn(b *postgres.Batch, in Beginning, stand Stand, o Outcome, reply *Message, events []Event) error {
	answers, err := in.answers()
	if err != nil {
		return err
	}
	end, err := o.params()
	if err != nil {
		return err
	}
	said := ""
	if reply != nil {
		said = reply.Content
	}
	kinds, data := columns(events)
	return queries.TurnAtOnce(context.Background(), b, &dbsqlc.TurnAtOnceParams{
		TenantID: end.TenantID, SessionID: end.SessionID, Number: end.Number, Version: stand.Version, Part: string(stand.Part), SettingsVersion: int32(stand.Policy),
		FirstSeq: stand.Last + 1, LastSeq: stand.Last + int64(len(events)), Kinds: kinds, Datas: data,
		SessionStatus: end.SessionStatus, SessionPhase: end.SessionPhase, CompletenessScore: end.CompletenessScore, Progress: end.Progress,
		StopReason: end.StopReason, Question: end.Question, WorkingMemorySnapshot: end.WorkingMemorySnapshot,
		UserID: in.User, ClientMessageID: postgres.OrNull(in.ClientMessageID), BodyHash: in.BodyHash, Answers: answers, InstanceID: in.Instance,
		Interviewer: end.Interviewer, Degraded: end.Degraded, Usage: end.Usage, TookSeconds: o.Took.Seconds(), Content: in.Message, Reply: said})
}
