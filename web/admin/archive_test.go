package admin_test

import (
	"archive/zip"
	"bytes"
	"io"
	"strings"
	"testing"

	"quaestor/internal/auth"
	"quaestor/web/webtest"
)

// The export of an organisation has the sound of what people said, as it has the bytes of sources,
// and no hash or sealed key.
func TestExportHasSoundAndNoSecrets(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{Tokens: true})
	boss := w.As(w.Tenant, "boss", auth.Owner)
	w.Furnish(boss, w.Tenant, "heron", "ibis")
	body := webtest.ReadAll(t, boss.Do(webtest.Request{Path: "/admin/settings/export"}))
	z, err := zip.NewReader(bytes.NewReader([]byte(body)), int64(len(body)))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		raw, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files[f.Name] = string(raw)
	}
	if got := files["tables/message_recordings.jsonl"]; !strings.Contains(got, `"sound":"\\x00000000"`) {
		t.Errorf("recordings are %s, want their sound", got)
	}
	for name, text := range files {
		for _, secret := range []string{"token_hash", "credential_hash", "sealed", "mask_key", boss.Token} {
			if strings.Contains(text, secret) {
				t.Errorf("%s tells %s", name, secret)
			}
		}
	}
}
