package seal_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"quaestor/internal/secret"
	"quaestor/internal/secret/seal"
)

func keys(t *testing.T) secret.Secret {
	t.Helper()
	k, err := seal.Generate()
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func sealer(t *testing.T, k secret.Secret) seal.Sealer {
	t.Helper()
	s, err := seal.New(k)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSealedOpensInItsPlaceOnly(t *testing.T) {
	t.Parallel()

	s := sealer(t, keys(t))
	box, err := s.Seal("one", "warehouse/7", secret.New("sesame"))
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(box, []byte("sesame")) {
		t.Fatal("the sealed value can be read")
	}
	if got, err := s.Open("one", "warehouse/7", box); err != nil || got.Reveal() != "sesame" {
		t.Fatalf("opened %q, %v", got.Reveal(), err)
	}
	for _, place := range [][2]string{{"two", "warehouse/7"}, {"one", "warehouse/8"}, {"onew", "arehouse/7"}, {"", "onewarehouse/7"}} {
		if _, err := s.Open(place[0], place[1], box); !errors.Is(err, seal.ErrOther) {
			t.Errorf("opened for %q: %v", place, err)
		}
	}
	if _, err := sealer(t, keys(t)).Open("one", "warehouse/7", box); !errors.Is(err, seal.ErrOther) {
		t.Errorf("other keys open it: %v", err)
	}
	for i := range box {
		spoilt := bytes.Clone(box)
		spoilt[i] ^= 1
		if _, err := s.Open("one", "warehouse/7", spoilt); err == nil {
			t.Fatalf("opens with byte %d changed", i)
		}
	}
}

func TestOldKeysOpenAfterRotation(t *testing.T) {
	t.Parallel()

	before := keys(t)
	old, err := sealer(t, before).Seal("one", "a", secret.New("sesame"))
	if err != nil {
		t.Fatal(err)
	}
	after, err := seal.Rotate(before)
	if err != nil {
		t.Fatal(err)
	}
	s := sealer(t, after)
	if got, err := s.Open("one", "a", old); err != nil || got.Reveal() != "sesame" {
		t.Fatalf("opened %q, %v", got.Reveal(), err)
	}
	fresh, err := s.Seal("one", "a", secret.New("sesame"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sealer(t, before).Open("one", "a", fresh); !errors.Is(err, seal.ErrOther) {
		t.Errorf("the new key does not seal: %v", err)
	}
}

func TestWithoutKeysNothingIsSealed(t *testing.T) {
	t.Parallel()

	if _, err := (seal.Sealer{}).Seal("one", "a", secret.New("sesame")); !errors.Is(err, seal.ErrNoKeys) {
		t.Errorf("got %v", err)
	}
	if _, err := (seal.Sealer{}).Open("one", "a", []byte("x")); !errors.Is(err, seal.ErrNoKeys) {
		t.Errorf("got %v", err)
	}
	for _, text := range []string{"", "{}", "sesame", `{"primaryKeyId":1,"key":[]}`} {
		if _, err := seal.New(secret.New(text)); err == nil {
			t.Errorf("%q passes for keys", text)
		} else if text == "sesame" && strings.Contains(err.Error(), text) {
			t.Errorf("the error tells: %v", err)
		}
	}
}

func TestKeysOfAFileAreMadeOnce(t *testing.T) {
	t.Parallel()

	path := filepath.Join(t.TempDir(), "keys.json")
	var wg sync.WaitGroup
	got := make([]secret.Secret, 8)
	for i := range got {
		wg.Go(func() { got[i], _ = seal.FromFile(path) })
	}
	wg.Wait()
	for i := range got {
		if got[i].IsZero() || got[i].Reveal() != got[0].Reveal() {
			t.Fatalf("process %d has other keys", i)
		}
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	next, err := seal.Rotate(got[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := seal.Write(path, next); err != nil {
		t.Fatal(err)
	}
	if again, err := seal.FromFile(path); err != nil || again.Reveal() != next.Reveal() {
		t.Errorf("the file was not replaced: %v", err)
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := seal.FromFile(path); err == nil || !strings.Contains(err.Error(), "chmod 600") {
		t.Errorf("keys that others may read: %v", err)
	}
	left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".keys-*"))
	if len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
