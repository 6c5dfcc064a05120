package documents_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quaestor/internal/fault"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/research/documents"
)

// past gives a file a date at which it cannot change unseen any more.
func (l *lab) past(name string, age time.Duration) {
	l.t.Helper()
	at := time.Now().Add(-age)
	if err := os.Chtimes(filepath.Join(l.dir, name), at, at); err != nil {
		l.t.Fatal(err)
	}
}

func TestSyncReadsWhatChangedAndNothingElse(t *testing.T) {
	t.Parallel()

	l := newLab(t, nil)
	l.write("prices.md", "# Prices\n\nA bicycle costs 900 EUR.")
	l.write("deep/er/people.txt", "We are 42 people.")
	l.past("prices.md", time.Hour)
	l.past("deep/er/people.txt", time.Hour)

	want(t, l.sync(), documents.Report{Files: 2, Read: 2})
	if got := l.read(); !slices.Equal(got, []string{"deep/er/people.txt", "prices.md"}) {
		t.Errorf("read %v", got)
	}
	want(t, l.sync(), documents.Report{Files: 2, Unchanged: 2})
	l.past("prices.md", time.Minute)
	want(t, l.sync(), documents.Report{Files: 2, Unchanged: 2})
	if got := l.read(); len(got) != 0 {
		t.Errorf("files that did not change were read again: %v", got)
	}
	before := l.list()["prices.md"]
	l.write("prices.md", "# Prices\n\nA bicycle costs 950 EUR.") // as long as it was
	l.past("prices.md", 30*time.Second)
	want(t, l.sync(), documents.Report{Files: 2, Unchanged: 1, Read: 1})
	after := l.find(l.list()["prices.md"].ID)
	if after.ID != before.ID || after.SHA256 == before.SHA256 || !strings.Contains(after.Text, "950") || after.Title != "Prices" {
		t.Errorf("the changed document is %+v, it was %+v", after, before)
	}
}

// A file may change twice within one tick of the file system's clock, its size the
// same: what was looked at that soon is looked at again.
func TestAChangeWithinTheSameTickIsSeen(t *testing.T) {
	t.Parallel()

	l := newLab(t, nil)
	at := time.Now()
	for _, text := range []string{"one", "two"} {
		l.write("a.txt", text)
		if err := os.Chtimes(filepath.Join(l.dir, "a.txt"), at, at); err != nil {
			t.Fatal(err)
		}
		l.sync()
		if got := l.find(l.list()["a.txt"].ID).Text; got != text {
			t.Errorf("the document says %q, want %q", got, text)
		}
	}
}

func TestRemovedFilesAreForgotten(t *testing.T) {
	t.Parallel()

	l := newLab(t, nil)
	l.write("a.txt", "Our secret is the yeast.")
	l.write("b.txt", "Bread.")
	l.sync()
	id := l.list()["a.txt"].ID
	if err := os.Remove(filepath.Join(l.dir, "a.txt")); err != nil {
		t.Fatal(err)
	}

	if r := l.sync(); r.Gone != 1 {
		t.Errorf("the report is %+v, want one gone", r)
	}
	if d := l.find(id); d.State != documents.Gone || d.Text != "" || d.Bytes != nil || d.SHA256 != "" || d.Title != "" {
		t.Errorf("of a removed file this is kept: %+v", d)
	}
	if got := l.search("yeast"); len(got) != 0 {
		t.Errorf("a removed file is found: %+v", got)
	}
	if r := l.sync(); r.Gone != 0 {
		t.Errorf("it is gone again: %+v", r)
	}
	l.write("a.txt", "Our secret is the yeast.")
	if r := l.sync(); r.Read != 1 || l.find(id).State != documents.Read {
		t.Errorf("it comes back as %+v, %+v", r, l.find(id))
	}
}

func TestAFolderThatIsNotThereChangesNothing(t *testing.T) {
	t.Parallel()

	l := newLab(t, nil)
	l.write("a.txt", "Bread.")
	l.sync()

	if _, err := l.docs.Sync(t.Context(), l.tenant, filepath.Join(l.dir, "unmounted")); !fault.Is(err, fault.NotFound) {
		t.Errorf("Sync = %v, want not found", err)
	}
	if d := l.list()["a.txt"]; d.State != documents.Read {
		t.Errorf("the document is %s", d.State)
	}
}

func TestABadFileIsRefusedAndTheOthersGoOn(t *testing.T) {
	t.Parallel()

	l := newLab(t, nil)
	l.write("a-broken.pdf", "broken")
	l.write("b-panic.docx", "panic")
	l.write("c-empty.txt", " \n\u00a0")
	l.write("d-large.csv", "")
	if err := os.Truncate(filepath.Join(l.dir, "d-large.csv"), 20<<20+1); err != nil {
		t.Fatal(err)
	}
	l.write("e.txt", "Bread.\x00 And \xff butter.")
	l.write("picture.png", "PNG")

	for range 2 {
		r := l.sync2()
		if r.Refused != 4 || r.Files != 5 {
			t.Errorf("report %+v", r)
		}
		expected := []documents.Problem{
			{Path: "picture.png", Reason: "this kind of file is not read"},
			{Path: "a-broken.pdf", Reason: "the file is broken in two lines"},
			{Path: "b-panic.docx", Reason: "it cannot be read"},
			{Path: "c-empty.txt", Reason: "it has no readable words"},
			{Path: "d-large.csv", Reason: "it has 20 MB; at most 20 MB are read"},
		}
		for i := range r.Problems {
			r.Problems[i].Reason = strings.ReplaceAll(r.Problems[i].Reason, "\uFFFD", " ")
		}
		if diff := cmp.Diff(expected, r.Problems); diff != "" {
			t.Errorf("problems (-want +got):\n%s", diff)
		}
	}
	if d := l.find(l.list()["e.txt"].ID); d.State != documents.Read || d.Text != "Bread. And \uFFFD butter." {
		t.Errorf("the good one is %+v", d)
	}
	if d := l.list()["d-large.csv"]; d.State != documents.Refused || d.SHA256 != "" || d.Size != 20<<20+1 {
		t.Errorf("the large one is %+v", d)
	}
}

// sync2 syncs without asking that text and bytes are the same.
func (l *lab) sync2() documents.Report {
	l.t.Helper()
	r, err := l.docs.Sync(l.t.Context(), l.tenant, l.dir)
	if err != nil {
		l.t.Fatal(err)
	}
	return r
}

func TestNothingOutsideTheFolderIsOpened(t *testing.T) {
	t.Parallel()

	l := newLab(t, nil)
	outside := t.TempDir()
	secret := filepath.Join(outside, "secret.txt")
	if err := os.WriteFile(secret, []byte("The password is swordfish."), 0o600); err != nil {
		t.Fatal(err)
	}
	l.write("real.txt", "Bread.")
	l.write(".hidden.txt", "swordfish")
	l.write(".git/config.txt", "swordfish")
	l.write("~$open.docx", "swordfish")
	l.write("line\nbreak.txt", "swordfish")
	for name, target := range map[string]string{
		"absolute.txt": secret, "relative.txt": "../" + filepath.Base(outside) + "/secret.txt", "folder": outside, "root.txt": "/etc/hostname",
		"loop.txt": "loop.txt", "nowhere.txt": "missing.txt", "inside.txt": "real.txt", "up.txt": "deep/../../x.txt", "self": ".",
	} {
		if err := os.Symlink(target, filepath.Join(l.dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(l.dir, "pipe.txt"), 0o600); err != nil {
		t.Fatal(err)
	}
	socket, err := net.Listen("unix", filepath.Join(l.dir, "socket.txt"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = socket.Close() })

	r := l.sync()

	if got := l.read(); !slices.Equal(got, []string{"inside.txt", "real.txt"}) {
		t.Errorf("read %v", got)
	}
	var refused []string
	for _, p := range r.Problems {
		refused = append(refused, p.Path)
	}
	expected := []string{"absolute.txt", "folder", "line\uFFFDbreak.txt", "loop.txt", "nowhere.txt", "pipe.txt", "relative.txt", "root.txt", "self", "socket.txt", "up.txt"}
	if diff := cmp.Diff(expected, refused); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
	if got := l.search("swordfish password"); len(got) != 0 {
		t.Errorf("found %+v", got)
	}
}

// A link that was good when it was looked at may lead out when it is opened.
func TestALinkThatIsTurnedMeanwhileLeadsNowhere(t *testing.T) {
	t.Parallel()

	l := newLab(t, nil)
	outside := filepath.Join(t.TempDir(), "secret.txt")
	if err := os.WriteFile(outside, []byte("swordfish"), 0o600); err != nil {
		t.Fatal(err)
	}
	l.write("a.txt", "Bread.")
	link := filepath.Join(l.dir, "b.txt")
	if err := os.Symlink("a.txt", link); err != nil {
		t.Fatal(err)
	}
	l.before = func(name string) {
		if name == "a.txt" {
			if err := errors.Join(os.Remove(link), os.Symlink(outside, link)); err != nil {
				t.Error(err)
			}
		}
	}

	r := l.sync()

	if diff := cmp.Diff([]documents.Problem{{Path: "b.txt", Reason: "it cannot be opened"}}, r.Problems); diff != "" || r.Read != 1 {
		t.Errorf("report %+v (-want +got):\n%s", r, diff)
	}
}

func TestASyncThatEndsEarlyLeavesFilesDoneAndFilesNotBegun(t *testing.T) {
	t.Parallel()

	l := newLab(t, nil)
	for i := range 9 {
		l.write(fmt.Sprintf("%d.md", i), "# Bread\n\n"+strings.Repeat("Bread is baked from flour. ", 200))
	}
	for end := range 9 {
		ctx, cancel := context.WithCancel(t.Context())
		l.before = func(name string) {
			if name == fmt.Sprintf("%d.md", end) {
				cancel()
			}
		}
		r, err := l.docs.Sync(ctx, l.tenant, l.dir)
		cancel()
		if !errors.Is(err, context.Canceled) || r.Read > 1 {
			t.Errorf("ended at file %d: %+v, %v", end, r, err)
		}
		l.consistent()
		if n := len(l.list()); n != end {
			t.Errorf("ended at file %d: %d documents are stored", end, n)
		}
	}
	l.before = nil
	if r := l.sync(); r.Read != 1 || len(l.list()) != 9 {
		t.Errorf("the last sync reads %+v", r)
	}
}

func TestSyncsAtOnce(t *testing.T) {
	t.Parallel()

	e, _ := encoder(t, "one")
	l := newLab(t, e)
	for i := range 12 {
		l.write(fmt.Sprintf("%d.md", i), fmt.Sprintf("# Bread %d\n\n", i)+strings.Repeat("Bread is baked from flour. ", 100))
	}
	var turn sync.Mutex
	l.before = func(name string) {
		turn.Lock()
		defer turn.Unlock()
		if name == "7.md" {
			l.write("8.md", "Changed meanwhile.")
			_ = os.Remove(filepath.Join(l.dir, "9.md"))
		}
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			if _, err := l.docs.Sync(t.Context(), l.tenant, l.dir); err != nil {
				t.Errorf("a sync among others: %v", err)
			}
		})
	}
	all.Wait()
	l.consistent()
	l.before = nil

	r := l.sync()
	if r.Files != 11 || r.Unencoded != 0 || l.find(l.list()["8.md"].ID).Text != "Changed meanwhile." || l.list()["9.md"].State != documents.Gone && l.list()["9.md"].ID != "" {
		t.Errorf("in the end: %+v", r)
	}
	l.past("8.md", time.Hour)
	if r := l.sync(); r.Read != 0 || r.Encoded != 0 {
		t.Errorf("there is still something to do: %+v", r)
	}
}

func TestVectorsAreRepairedAndRemade(t *testing.T) {
	t.Parallel()

	e, _ := encoder(t, "one")
	silent, srv := encoder(t, "one")
	srv.Close()
	l := newLab(t, silent)
	l.write("a.txt", "Bread is baked.")
	l.write("b.txt", "Wine is pressed.")
	if r := l.sync(); r.Read != 2 || r.Encoded != 0 || r.Unencoded != 2 {
		t.Errorf("while the encoder fails: %+v", r)
	}
	if got := paths(l.search("bread")); !slices.Equal(got, []string{"a.txt"}) {
		t.Errorf("words find %v", got)
	}
	l.docs = l.documents(e)
	if r := l.sync(); r.Read != 0 || r.Encoded != 2 || r.Unencoded != 0 {
		t.Errorf("when it works again: %+v", r)
	}
	if got := paths(l.search("whither is pressed xylophones")); len(got) == 0 || got[0] != "b.txt" {
		t.Errorf("words and meaning find %v", got)
	}

	other, _ := encoder(t, "two")
	l.docs = l.documents(other)
	if got := l.search("is xylophones"); len(got) != 0 {
		t.Errorf("vectors of another encoder are compared: %+v", got)
	}
	if r := l.sync(); r.Encoded != 2 || r.Read != 0 {
		t.Errorf("with another encoder: %+v", r)
	}
	if got := paths(l.search("is xylophones")); len(got) != 2 {
		t.Errorf("its vectors find %v, want both documents", got)
	}
}

func TestTenantsAreApart(t *testing.T) {
	t.Parallel()

	e, _ := encoder(t, "one")
	l := newLab(t, e)
	l.write("a.txt", "The yeast is our secret.")
	l.sync()
	id := l.list()["a.txt"].ID
	other := &lab{t: t, pool: l.pool, tenant: postgrestest.Tenant(t, l.pool), dir: t.TempDir(), docs: l.docs}
	other.write("a.txt", "Another yeast altogether.")
	other.sync()

	if _, err := l.docs.Find(t.Context(), other.tenant, id); !fault.Is(err, fault.NotFound) {
		t.Errorf("another tenant finds the document: %v", err)
	}
	if got := other.search("secret yeast"); len(got) != 1 || got[0].Content != "Another yeast altogether." {
		t.Errorf("another tenant finds %+v", got)
	}
	if got := other.list(); len(got) != 1 || got["a.txt"].ID == id {
		t.Errorf("another tenant lists %+v", got)
	}
	if d := l.find(id); d.Text != "The yeast is our secret." {
		t.Errorf("another tenant's sync changed it to %+v", d)
	}
	for _, unknown := range []string{"", "x", "00000000-0000-0000-0000-000000000000", "'; --", "\x00"} {
		if _, err := l.docs.Find(t.Context(), l.tenant, unknown); !fault.Is(err, fault.NotFound) {
			t.Errorf("Find(%q) = %v, want not found", unknown, err)
		}
	}
}
