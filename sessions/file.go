package sessions

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions/internal/dbsqlc"
)

// MaxFiles is how many files a session may have, MaxGiven how many go with one
// turn.
const (
	MaxFiles = 20
	MaxGiven = 5
)

// File is a document that a person gave to a session. Its text is not the person's own
// words.
type File struct {
	Attachment

	SHA256    string // of the file as it was sent, hex
	Parts     int    // pages of a PDF, rows of a table, else 0
	Truncated bool   // the file has more text than Text
	User      string // the person who gave it
	At        time.Time
	Turns     []int  // the turns it was given with, in order
	Text      string // the text that could be read, at most 400,000 bytes; empty in lists
}

// Attachment is a file without its content, as messages and events name it.
type Attachment struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Type string `json:"mediaType"`
	Size int64  `json:"size"` // bytes
}

// AddFiles stores files of a session, all or none, and returns them without their texts.
// A content that the session has already is that file, under its first name; made tells
// for each file whether it is new. A session that is completed, or would have more than
// [MaxFiles], accepts none.
func AddFiles(ctx context.Context, pool *pgxpool.Pool, s obligations.Scope, user string, list []File) (kept []File, made []bool, err error) {
	err = postgres.InTx(ctx, pool, s.Tenant, func(tx pgx.Tx) error {
		kept, made = nil, nil
		if err := mayAdd(ctx, tx, s); err != nil {
			return err
		}
		for _, f := range list {
			f.User = user
			as, isNew, err := addFile(ctx, tx, s, f)
			if err != nil {
				return err
			}
			kept, made = append(kept, as), append(made, isNew)
		}
		return refuseMany(ctx, tx, s)
	})
	return kept, made, fault.Wrap(notID(err), "add files to session %s", s.Session)
}

// mayAdd locks the session and refuses one that accepts no files.
func mayAdd(ctx context.Context, tx pgx.Tx, s obligations.Scope) error {
	var session *Session
	b := postgres.NewBatch(s.Tenant)
	Lock(b, s, &session)
	if err := b.Send(ctx, tx); err != nil {
		return err
	}
	switch {
	case session == nil:
		return NoSession()
	case session.Status == Completed:
		return fault.New(fault.Conflict, "this session is completed and takes no more files; reopen it, or start a new one").Coded("session_completed")
	}
	return nil
}

// addFile stores a file, unless the session has its content, and reports whether it did.
func addFile(ctx context.Context, tx pgx.Tx, s obligations.Scope, f File) (File, bool, error) {
	had, err := queries.FileByDigest(ctx, tx, &dbsqlc.FileByDigestParams{TenantID: s.Tenant, SessionID: s.Session, Sha256: f.SHA256})
	if err == nil {
		return fromFileRow(*had), false, nil
	}
	if !errors.Is(err, pgx.ErrNoRows) {
		return f, false, err
	}
	made, err := queries.FileInsert(ctx, tx, &dbsqlc.FileInsertParams{TenantID: s.Tenant, SessionID: s.Session, Name: f.Name, MediaType: f.Type, Size: f.Size,
		Sha256: f.SHA256, Parts: int32(f.Parts), Truncated: f.Truncated, UserID: f.User, Content: f.Text})
	if err != nil {
		return f, false, err
	}
	f.ID, f.At, f.Text = made.ID, made.CreatedAt, ""
	return f, true, nil
}

// refuseMany refuses a session that has more than [MaxFiles] by now.
func refuseMany(ctx context.Context, tx pgx.Tx, s obligations.Scope) error {
	n, err := queries.FileCount(ctx, tx, &dbsqlc.FileCountParams{TenantID: s.Tenant, SessionID: s.Session})
	if err == nil && n > MaxFiles {
		return fault.New(fault.Conflict, "a session has at most %d files; remove one that was not given yet, or say what matters in your own words", MaxFiles).At("file").Coded("too_many_files")
	}
	return err
}

// Files returns the files of a session in the order they were given, without their
// texts.
func Files(ctx context.Context, db postgres.DB, s obligations.Scope) ([]File, error) {
	var out []File
	b := postgres.NewBatch(s.Tenant)
	LoadFiles(b, s, &out)
	err := b.Send(ctx, db)
	return out, fault.Wrap(notID(err), "list files of session %s", s.Session)
}

// LoadFiles queues a read of the files of a session, without their texts, into
// list.
func LoadFiles(b *postgres.Batch, s obligations.Scope, list *[]File) {
	postgres.Many(b, queries.FileList, &dbsqlc.FileListParams{TenantID: s.Tenant, SessionID: s.Session}, func(r *dbsqlc.FileListRow) error {
		f := fromFileRow(dbsqlc.FileByDigestRow{ID: r.ID, Name: r.Name, MediaType: r.MediaType, Size: r.Size, Sha256: r.Sha256, Parts: r.Parts, Truncated: r.Truncated, UserID: r.UserID, CreatedAt: r.CreatedAt})
		f.Turns = ints(r.Turns)
		*list = append(*list, f)
		return nil
	})
}

// PickFiles returns the files of a session with these ids, in their order and with their
// texts. A file that does not exist is NotFound.
func PickFiles(ctx context.Context, db postgres.DB, s obligations.Scope, ids []string) ([]File, error) {
	var found []File
	b := postgres.NewBatch(s.Tenant)
	postgres.Many(b, queries.FilePick, &dbsqlc.FilePickParams{TenantID: s.Tenant, SessionID: s.Session, Ids: ids}, func(r *dbsqlc.FilePickRow) error {
		f := fromFileRow(dbsqlc.FileByDigestRow{ID: r.ID, Name: r.Name, MediaType: r.MediaType, Size: r.Size, Sha256: r.Sha256, Parts: r.Parts, Truncated: r.Truncated, UserID: r.UserID, CreatedAt: r.CreatedAt})
		f.Turns, f.Text = ints(r.Turns), r.Content
		found = append(found, f)
		return nil
	})
	if err := b.Send(ctx, db); err != nil {
		return nil, fmt.Errorf("read files of session %s: %w", s.Session, noFileID(err))
	}
	out := make([]File, len(ids))
	for i, id := range ids {
		at := slices.IndexFunc(found, func(f File) bool { return f.ID == id })
		if at < 0 {
			return nil, noFile()
		}
		out[i] = found[at]
	}
	return out, nil
}

// FindFile returns a file of a session with its text; NotFound when it does not exist.
func FindFile(ctx context.Context, db postgres.DB, s obligations.Scope, id string) (File, error) {
	list, err := PickFiles(ctx, db, s, []string{id})
	if err != nil {
		return File{}, err
	}
	return list[0], nil
}

// noFile is the answer to an id that names no file of the session.
func noFile() error {
	return fault.New(fault.NotFound, "the session has no such file").Coded("file_not_found")
}

// noFileID returns NotFound for the database's complaint about a malformed id (22P02),
// and any other error as it is.
func noFileID(err error) error {
	if postgres.Code(err) == "22P02" {
		return noFile()
	}
	return err
}

// RemoveFile deletes a file that was not given with a turn yet. A file that was is kept,
// since values may rest on it: that is a Conflict.
func RemoveFile(ctx context.Context, db postgres.DB, s obligations.Scope, id string) error {
	removed := false
	b := postgres.NewBatch(s.Tenant)
	postgres.One(b, queries.FileDelete, &dbsqlc.FileDeleteParams{TenantID: s.Tenant, SessionID: s.Session, ID: id}, func(string) error { removed = true; return nil })
	if err := b.Send(ctx, db); err != nil {
		return fmt.Errorf("remove file %s of session %s: %w", id, s.Session, noFileID(err))
	}
	if removed {
		return nil
	}
	if _, err := FindFile(ctx, db, s, id); err != nil {
		return err
	}
	return fault.New(fault.Conflict, "this file was given to the interviewer and stays with the interview, for values may rest on it").Coded("file_in_use")
}

// TurnFile is a file that was given with a turn.
type TurnFile struct {
	Turn int
	User string // the person whose turn it was
	At   time.Time
	File Attachment
}

// LoadGiven queues a read of the files that were given with the turns of a
// session, in order, into list.
func LoadGiven(b *postgres.Batch, s obligations.Scope, list *[]TurnFile) {
	postgres.Many(b, queries.FileGiven, &dbsqlc.FileGivenParams{TenantID: s.Tenant, SessionID: s.Session}, func(r *dbsqlc.FileGivenRow) error {
		*list = append(*list, TurnFile{int(r.Turn), r.UserID, r.StartedAt, Attachment{r.ID, r.Name, r.MediaType, r.Size}})
		return nil
	})
}

// WithFiles returns the messages of the turns first to last with the files that were
// given with them. A turn with files and without words gets a message without a text.
func WithFiles(list []Message, given []TurnFile, first, last int) []Message {
	out := slices.Clone(list)
	for _, g := range given {
		if g.Turn < first || g.Turn > last {
			continue
		}
		at, found := slices.BinarySearchFunc(out, g.Turn, func(m Message, turn int) int { return m.Turn - turn })
		if !found || out[at].Role != FromUser {
			out = slices.Insert(out, at, Message{Turn: g.Turn, Role: FromUser, User: g.User, Complete: true, At: g.At})
		}
		out[at].Files = append(slices.Clip(out[at].Files), g.File)
	}
	return out
}

// give queues that files were given with the turn that begins in b.
func give(b *postgres.Batch, in NewTurn) {
	if len(in.Files) == 0 {
		return
	}
	ids := make([]string, len(in.Files))
	for i, f := range in.Files {
		ids[i] = f.ID
	}
	_ = queries.FileGive(context.Background(), b, &dbsqlc.FileGiveParams{Ids: ids, TenantID: in.Scope.Tenant, SessionID: in.Scope.Session, UserID: in.User, BodyHash: in.BodyHash})
}

// attachments returns files without their content; nil for none.
func attachments(list []File) []Attachment {
	var out []Attachment
	for _, f := range list {
		out = append(out, f.Attachment)
	}
	return out
}

// fromFileRow returns a file as it is stored, without its text.
func fromFileRow(r dbsqlc.FileByDigestRow) File {
	return File{Attachment: Attachment{r.ID, r.Name, r.MediaType, r.Size}, SHA256: r.Sha256, Parts: int(r.Parts), Truncated: r.Truncated, User: r.UserID, At: r.CreatedAt}
}

func ints(list []int32) []int {
	var out []int
	for _, n := range list {
		out = append(out, int(n))
	}
	return out
}
