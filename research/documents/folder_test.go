package documents

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"quaestor/internal/fault"
)

func TestFolder(t *testing.T) {
	t.Parallel()

	d := &Documents{root: "/srv/documents"}
	for _, tt := range []struct{ in, want string }{
		{"acme", "acme"}, {"Acme Bikes 2.0", "Acme Bikes 2.0"}, {"a_b-c", "a_b-c"},
		{"..", "%2E%2E"}, {".", "%2E"}, {"../other", "%2E.%2Fother"}, {"a/b", "a%2Fb"}, {`a\b`, "a%5Cb"}, {"a\x00b", "a%00b"}, {"/etc", "%2Fetc"},
		{"a%2Fb", "a%252Fb"}, {" a ", "%20a%20"}, {"a.", "a%2E"}, {".git", "%2Egit"}, {"Käse", "K%C3%A4se"}, {"~", "%7E"}, {"a\nb", "a%0Ab"},
	} {
		got, err := d.Folder(tt.in)
		if err != nil || got != "/srv/documents/"+tt.want {
			t.Errorf("Folder(%q) = %q, %v, want %q", tt.in, got, err, tt.want)
		}
	}
	for _, in := range []string{"", strings.Repeat("a", 201), strings.Repeat("ж", 100)} {
		if got, err := d.Folder(in); !fault.Is(err, fault.Unprocessable) {
			t.Errorf("Folder(%.20q) = %q, %v, want a refusal", in, got, err)
		}
	}
}

func TestNoTwoTenantsShareAFolder(t *testing.T) {
	t.Parallel()

	d := &Documents{root: "/srv/documents"}
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringN(1, 20, 60).Draw(t, "name")
		other := rapid.StringN(1, 20, 60).Draw(t, "other")
		a, err := d.Folder(name)
		b, err2 := d.Folder(other)
		if err != nil || err2 != nil {
			t.Skip("too long")
		}
		if filepath.Dir(a) != d.root || filepath.Clean(a) != a || (a == b) != (name == other) {
			t.Fatalf("%q and %q are at %q and %q", name, other, a, b)
		}
	})
}

func TestAFolderOverTheCapIsReportedAndNotForgotten(t *testing.T) {
	t.Parallel()

	dir := t.TempDir()
	for i := range maxFiles + 7 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%05d.txt", i)), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	f, err := openFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.root.Close() })
	if err := f.walk(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(f.files) != maxFiles || f.left != 7 || !f.complete || !f.seen["05006.txt"] || f.files[0] != "00000.txt" || f.files[maxFiles-1] != "04999.txt" {
		t.Errorf("%d files are read and %d left, complete %t", len(f.files), f.left, f.complete)
	}
}

func TestWhatIsTooDeepIsReportedAndNotForgotten(t *testing.T) {
	t.Parallel()

	dir := t.TempDir()
	deep := filepath.Join(dir, strings.Repeat("a/", maxDepth+2))
	if err := os.MkdirAll(deep, 0o755); err != nil {
		t.Fatal(err)
	}
	f, err := openFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.root.Close() })
	if err := f.walk(t.Context()); err != nil || f.complete || len(f.problems) != 1 {
		t.Errorf("walk = %v, complete %t, problems %v", err, f.complete, f.problems)
	}
}

func TestReadStaysInTheFolder(t *testing.T) {
	t.Parallel()

	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.txt"), []byte("Bread."), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := openFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.root.Close() })
	c, err := f.read("a.txt")
	if err != nil || string(c.body) != "Bread." || c.size != 6 {
		t.Errorf("read = %+v, %v", c, err)
	}
	for _, name := range []string{"../a.txt", "/etc/hostname", "missing.txt", "."} {
		if _, err := f.read(name); err == nil {
			t.Errorf("read(%q) is no error", name)
		}
	}
}

func TestReportsAreBounded(t *testing.T) {
	t.Parallel()

	var r Report
	for range 7 {
		r.add(make([]Problem, 50)...)
	}
	if len(r.Problems) != maxProblems || r.More != 150 {
		t.Errorf("%d problems and %d more, want %d and 150", len(r.Problems), r.More, maxProblems)
	}
}
