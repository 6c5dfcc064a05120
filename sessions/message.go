package sessions

import (
	"context"
	"strconv"
	"time"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions/internal/dbsqlc"
)

// Speaker is who said a message.
type Speaker string

// The speakers.
const (
	FromUser      Speaker = "user"
	FromAssistant Speaker = "assistant"
)

// Message is one entry of the transcript.
type Message struct {
	Turn     int
	Role     Speaker
	User     string // who typed it; empty for the assistant
	Content  string
	Complete bool // false for a reply the person stopped

	Interrupted bool // the reply was spoken and the person broke in; Content is what they had heard of it

	At    time.Time
	Files []Attachment // given with it; only where [WithFiles] put them
}

// ID returns the message's id within its session.
func (m Message) ID() string { return MessageID(m.Turn, m.Role) }

// MessageID returns the id of a turn's message: a turn has at most one of each
// speaker, so "12-user" names it within its session.
func MessageID(turn int, role Speaker) string { return strconv.Itoa(turn) + "-" + string(role) }

// AddMessage queues a message of the transcript.
func AddMessage(b *postgres.Batch, s obligations.Scope, m Message) {
	_ = queries.MessageInsert(context.Background(), b, &dbsqlc.MessageInsertParams{TenantID: s.Tenant, SessionID: s.Session, Turn: int32(m.Turn),
		Role: string(m.Role), UserID: postgres.OrNull(m.User), Complete: m.Complete, Content: m.Content})
}

// Interrupt queues a record that the person broke into the reply of a turn while it was
// spoken, when they had heard that many characters of it. The first record of a turn stays.
func Interrupt(b *postgres.Batch, s obligations.Scope, turn, heard int, by string) {
	_ = queries.MessageInterrupt(context.Background(), b, &dbsqlc.MessageInterruptParams{TenantID: s.Tenant, SessionID: s.Session, Turn: int32(turn), Heard: int32(heard), UserID: by})
}

// LoadWindow queues a read of the messages of the session's latest turns,
// oldest first, into list.
func LoadWindow(b *postgres.Batch, s obligations.Scope, turns int, list *[]Message) {
	postgres.Many(b, queries.MessageWindow, &dbsqlc.MessageWindowParams{TenantID: s.Tenant, SessionID: s.Session, Turns: int32(turns)}, func(r *dbsqlc.MessageWindowRow) error {
		*list = append(*list, fromMessageRow(dbsqlc.MessagePageRow(*r)))
		return nil
	})
}

// LoadSaid queues a read of what the person said in a turn, and passes it to said; a turn in
// which they said nothing passes nothing.
func LoadSaid(b *postgres.Batch, s obligations.Scope, turn int, said func(Message)) {
	postgres.Many(b, queries.MessagePage, &dbsqlc.MessagePageParams{TenantID: s.Tenant, SessionID: s.Session, After: int32(turn - 1), Max: 1}, func(r *dbsqlc.MessagePageRow) error {
		if m := fromMessageRow(*r); m.Turn == turn && m.Role == FromUser {
			said(m)
		}
		return nil
	})
}

// Transcript returns messages in order, of the turns after the given one; max
// is at most 1000, zero means that.
func Transcript(ctx context.Context, db postgres.DB, s obligations.Scope, after, most int) ([]Message, error) {
	if most <= 0 || most > 1000 {
		most = 1000
	}
	out, err := postgres.List(ctx, db, s.Tenant, queries.MessagePage, &dbsqlc.MessagePageParams{TenantID: s.Tenant, SessionID: s.Session, After: int32(after), Max: int32(most)}, func(r *dbsqlc.MessagePageRow) (Message, error) {
		return fromMessageRow(*r), nil
	})
	return out, fault.Wrap(notID(err), "read transcript of session %s", s.Session)
}

func fromMessageRow(r dbsqlc.MessagePageRow) Message {
	return Message{Turn: int(r.Turn), Role: Speaker(r.Role), User: postgres.OrEmpty(r.UserID), Content: r.Content, Complete: r.Complete, Interrupted: r.Interrupted, At: r.CreatedAt}
}
