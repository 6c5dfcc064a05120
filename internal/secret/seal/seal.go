// Package seal encrypts what an organisation entrusts to Quaestor, such as the
// password of its warehouse, for keeping in the database.
//
// A sealed value opens for the organisation and under the name it was sealed for,
// and for nothing else: moved to another row it is worthless. Keys are a Tink
// keyset of AES-256-GCM: the newest seals, all of them open, so that a key can be
// replaced without a pause.
package seal

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/tink-crypto/tink-go/v2/aead"
	"github.com/tink-crypto/tink-go/v2/insecurecleartextkeyset"
	"github.com/tink-crypto/tink-go/v2/keyset"
	"github.com/tink-crypto/tink-go/v2/tink"

	"quaestor/internal/secret"
)

// ErrNoKeys is the error of sealing without keys.
var ErrNoKeys = errors.New("there are no keys to seal with")

// ErrOther is the error of opening what was sealed for something else, with other
// keys, or was changed.
var ErrOther = errors.New("it was not sealed for this, or with other keys")

// Sealer seals and opens. The zero Sealer has no keys. It may be used by many at
// once.
type Sealer struct {
	aead tink.AEAD
}

// New returns a sealer with the keys of a keyset in Tink's JSON.
func New(keys secret.Secret) (Sealer, error) {
	handle, err := parse([]byte(keys.Reveal()))
	if err != nil {
		return Sealer{}, err
	}
	a, err := aead.New(handle)
	if err != nil {
		return Sealer{}, errors.New("the keys are of another kind than AES-256-GCM")
	}
	return Sealer{a}, nil
}

// Ready reports whether s has keys.
func (s Sealer) Ready() bool { return s.aead != nil }

// Seal returns value, sealed for a tenant under a name.
func (s Sealer) Seal(tenant, name string, value secret.Secret) ([]byte, error) {
	if !s.Ready() {
		return nil, ErrNoKeys
	}
	out, err := s.aead.Encrypt([]byte(value.Reveal()), bound(tenant, name))
	if err != nil {
		return nil, fmt.Errorf("seal %s: %w", name, err)
	}
	return out, nil
}

// Open returns what was sealed for a tenant under a name, or ErrOther.
func (s Sealer) Open(tenant, name string, sealed []byte) (secret.Secret, error) {
	if !s.Ready() {
		return secret.Secret{}, ErrNoKeys
	}
	out, err := s.aead.Decrypt(sealed, bound(tenant, name))
	if err != nil {
		return secret.Secret{}, ErrOther
	}
	return secret.New(string(out)), nil
}

// bound is what ties a sealed value to its place: both parts with their lengths,
// so that no two places share it.
func bound(tenant, name string) []byte {
	out := binary.AppendUvarint(nil, uint64(len(tenant)))
	return append(append(out, tenant...), name...)
}

// parse reads a keyset without telling what stands in it.
func parse(keys []byte) (*keyset.Handle, error) {
	handle, err := insecurecleartextkeyset.Read(keyset.NewJSONReader(bytes.NewReader(keys)))
	if err != nil {
		return nil, errors.New("the keys are no Tink keyset in JSON")
	}
	return handle, nil
}

// Generate returns a keyset with one new key.
func Generate() (secret.Secret, error) { return grown(keyset.NewManager()) }

// Rotate returns the keyset with one new key in it, which seals from now on.
func Rotate(keys secret.Secret) (secret.Secret, error) {
	handle, err := parse([]byte(keys.Reveal()))
	if err != nil {
		return secret.Secret{}, err
	}
	return grown(keyset.NewManagerFromHandle(handle))
}

// grown adds a key that seals.
func grown(m *keyset.Manager) (secret.Secret, error) {
	id, err := m.Add(aead.AES256GCMKeyTemplate())
	if err != nil {
		return secret.Secret{}, fmt.Errorf("make a key: %w", err)
	}
	if err := m.SetPrimary(id); err != nil {
		return secret.Secret{}, fmt.Errorf("use a key: %w", err)
	}
	handle, err := m.Handle()
	if err != nil {
		return secret.Secret{}, fmt.Errorf("make a keyset: %w", err)
	}
	var out bytes.Buffer
	if err := insecurecleartextkeyset.Write(handle, keyset.NewJSONWriter(&out)); err != nil {
		return secret.Secret{}, fmt.Errorf("write a keyset: %w", err)
	}
	return secret.New(out.String()), nil
}

// FromFile returns the keyset of a file, which is made with a new key when it is
// not there. Of several processes that make it at once one wins, and all have its
// keys. A file that others may read is refused.
func FromFile(path string) (secret.Secret, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		if err = create(path); err == nil {
			text, err = os.ReadFile(path)
		}
	}
	if err != nil {
		return secret.Secret{}, fmt.Errorf("read keys: %w", err)
	}
	if info, err := os.Stat(path); err == nil && info.Mode().Perm()&0o077 != 0 {
		return secret.Secret{}, fmt.Errorf("others may read the keys in %s; run: chmod 600 %[1]s", path)
	}
	return secret.New(string(text)), nil
}

// create makes a file with a new keyset, unless another process was quicker.
func create(path string) error {
	keys, err := Generate()
	if err != nil {
		return err
	}
	return place(path, keys, os.Link)
}

// Write puts a keyset into a file in one piece, in the place of the one there.
func Write(path string, keys secret.Secret) error { return place(path, keys, os.Rename) }

// place writes a file beside path and puts it there.
func place(path string, keys secret.Secret, put func(from, to string) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".keys-*") // is readable by its owner only
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) //nolint:errcheck // renamed away, or of no use
	_, err = f.WriteString(keys.Reveal())
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := put(f.Name(), path); err != nil && !errors.Is(err, os.ErrExist) {
		return err
	}
	return nil
}
