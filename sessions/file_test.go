package sessions_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"quaestor/internal/fault"
	"quaestor/sessions"
)

// texts are files of these contents.
func texts(contents ...string) []sessions.File {
	out := make([]sessions.File, len(contents))
	for i, text := range contents {
		sum := sha256.Sum256([]byte(text))
		out[i] = sessions.File{Attachment: sessions.Attachment{Name: fmt.Sprintf("%d.txt", i+1), Type: "text/plain", Size: int64(len(text))}, SHA256: hex.EncodeToString(sum[:]), Text: text}
	}
	return out
}

func TestFileIsKeptOnceBySession(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	other := j.another("someone", "business_profile")

	first, made, err := sessions.AddFiles(t.Context(), j.pool, j.scope, "ann", texts("one", "two", "one"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]bool{true, true, false}, made); diff != "" || first[2].ID != first[0].ID || first[0].User != "ann" || first[0].Text != "" {
		t.Errorf("three files with two contents: %v, %+v", made, first)
	}
	if again, made, err := sessions.AddFiles(t.Context(), j.pool, other, "bo", texts("one")); err != nil || !made[0] || again[0].ID == first[0].ID {
		t.Errorf("another session shares the file: %+v, %v", again, err)
	}
	if _, err := sessions.FindFile(t.Context(), j.pool, other, first[0].ID); fault.KindOf(err) != fault.NotFound {
		t.Errorf("another session finds the file: %v", err)
	}
	got, err := sessions.PickFiles(t.Context(), j.pool, j.scope, []string{first[1].ID, first[0].ID})
	if err != nil || got[0].Text != "two" || got[1].Text != "one" {
		t.Errorf("PickFiles = %+v, %v, want two and one", got, err)
	}
}

func TestFilesOfASessionAreLimited(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	var wg sync.WaitGroup
	for i := range sessions.MaxFiles + 5 { // at once: the limit holds all the same
		wg.Go(func() {
			_, _, err := sessions.AddFiles(t.Context(), j.pool, j.scope, "ann", texts(fmt.Sprint("file ", i)))
			if err != nil && fault.KindOf(err) != fault.Conflict {
				t.Error(err)
			}
		})
	}
	wg.Wait()

	list, err := sessions.Files(t.Context(), j.pool, j.scope)

	if err != nil || len(list) != sessions.MaxFiles {
		t.Fatalf("the session has %d files, %v, want %d", len(list), err, sessions.MaxFiles)
	}
	if err := sessions.RemoveFile(t.Context(), j.pool, j.scope, list[0].ID); err != nil {
		t.Errorf("RemoveFile = %v", err)
	}
	for _, id := range []string{list[0].ID, uuid.NewString(), "none"} {
		if err := sessions.RemoveFile(t.Context(), j.pool, j.scope, id); fault.KindOf(err) != fault.NotFound {
			t.Errorf("RemoveFile(%s) = %v, want not found", id, err)
		}
	}
}

func TestCompletedSessionTakesNoFiles(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	j.exec(`UPDATE elicitation_sessions SET status = 'completed'`)

	_, _, err := sessions.AddFiles(t.Context(), j.pool, j.scope, "ann", texts("one"))

	if fault.KindOf(err) != fault.Conflict {
		t.Errorf("AddFiles = %v, want a conflict", err)
	}
}

func TestMessagesShowTheFilesThatCameWithThem(t *testing.T) {
	t.Parallel()

	at := time.Date(2027, 5, 1, 8, 0, 0, 0, time.UTC)
	said := func(turn int, role sessions.Speaker, files ...string) sessions.Message {
		m := sessions.Message{Turn: turn, Role: role, Content: "words", Complete: true}
		for _, id := range files {
			m.Files = append(m.Files, sessions.Attachment{ID: id})
		}
		return m
	}
	given := func(turn int, id string) sessions.TurnFile {
		return sessions.TurnFile{Turn: turn, User: "ann", At: at, File: sessions.Attachment{ID: id}}
	}
	list := []sessions.Message{said(2, sessions.FromUser), said(2, sessions.FromAssistant), said(3, sessions.FromAssistant)}

	got := sessions.WithFiles(list, []sessions.TurnFile{given(1, "old"), given(2, "a"), given(2, "b"), given(3, "c"), given(4, "d"), given(9, "late")}, 2, 4)

	silent := func(turn int, id string) sessions.Message {
		return sessions.Message{Turn: turn, Role: sessions.FromUser, User: "ann", Complete: true, At: at, Files: []sessions.Attachment{{ID: id}}}
	}
	want := []sessions.Message{said(2, sessions.FromUser, "a", "b"), said(2, sessions.FromAssistant), silent(3, "c"), said(3, sessions.FromAssistant), silent(4, "d")}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
}
