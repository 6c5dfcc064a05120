package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quaestor/internal/erasure"
	"quaestor/internal/fault"
	"quaestor/internal/postgres/postgrestest"
)

// command runs a command on a database and returns what it printed.
func command(t *testing.T, url string, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	err := run(t.Context(), append(args, "--database-url", url), &out, io.Discard)
	return out.String(), err
}

// While a server runs, an organisation is erased under it: its streams end, its tokens are refused, and
// another one's interviews go on.
func TestOrganisationIsErasedUnderAServer(t *testing.T) {
	t.Parallel()

	url, docs := postgrestest.URL(t), t.TempDir()
	tokens := map[string]string{}
	for _, name := range []string{"acme", "other"} {
		out, err := command(t, url, "token", "create", "--tenant", name, "--user", "olga", "--role", "owner")
		if err != nil {
			t.Fatal(err)
		}
		tokens[name] = "Bearer " + strings.TrimSpace(out)
	}
	p := launch(t, "--database-url", url, "--auth", "tokens")
	say := func(name, session, message string) []event {
		body := map[string]any{"contextType": "business_profile", "message": message}
		if session != "" {
			body["sessionId"] = session
		}
		return p.open("/api/discovery-chat", body, "Authorization", tokens[name]).rest()
	}
	sessions := map[string]string{}
	for name := range tokens {
		sessions[name] = fmt.Sprint(say(name, "", "We bake bread")[0].Data["sessionId"])
	}
	files, kept := filepath.Join(docs, "acme", "plan.txt"), filepath.Join(docs, "other", "plan.txt")
	for _, path := range []string{files, kept} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte("secret"), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	open := map[string]*stream{}
	for name, id := range sessions {
		open[name] = p.open("/api/v1/sessions/"+id+"/events", nil, "Authorization", tokens[name])
		open[name].until("done")
	}

	out, err := command(t, url, "org", "erase", "acme", "--yes", "--documents-dir", docs)

	if err != nil || !strings.Contains(out, "Organisation acme is erased") {
		t.Fatalf("erasing says %q, %v", out, err)
	}
	if _, err := os.Stat(files); !os.IsNotExist(err) {
		t.Errorf("its documents are still there: %v", err)
	}
	if _, err := os.Stat(kept); err != nil {
		t.Errorf("the documents of another organisation: %v", err)
	}
	open["acme"].rest() // ends, or the test's patience does
	for name, want := range map[string]int{"acme": http.StatusUnauthorized, "other": http.StatusOK} {
		resp, err := p.ask(t.Context(), "/api/v1/sessions/"+sessions[name], nil, "Authorization", tokens[name])
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("%s is answered %d, want %d", name, resp.StatusCode, want)
		}
	}
	if events := say("other", sessions["other"], "Food and drink"); len(events) == 0 || events[len(events)-1].Type != "done" {
		t.Errorf("the other organisation goes on with %v", events)
	}
	open["other"].until("done")
	if list, err := command(t, url, "org", "list"); err != nil || strings.Contains(list, "acme") || !strings.Contains(list, "other") {
		t.Errorf("the list is %q, %v", list, err)
	}
}

// What is not meant is not erased.
func TestErasingAnOrganisationIsRefused(t *testing.T) {
	t.Parallel()

	url := postgrestest.URL(t)
	for _, name := range []string{"acme", "other", developmentTenant} {
		if _, err := command(t, url, "token", "create", "--tenant", name, "--user", "olga"); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		name string
		args []string
		kind fault.Kind
		says string
	}{
		{"a name that nobody has", []string{"nobody", "--yes"}, fault.NotFound, "there is no organisation"},
		{"development's own", []string{developmentTenant, "--yes"}, fault.Conflict, "--include-default"},
	} {
		if _, err := command(t, url, append([]string{"org", "erase"}, tt.args...)...); !fault.Is(err, tt.kind) || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.says)
		}
	}
	for _, tt := range []struct {
		name string
		o    erasure.Organisation
		c    organisationErase
		says string
	}{
		{"the only one", erasure.Organisation{Name: "acme", Only: true}, organisationErase{}, "--include-default"},
		{"the only one, meant", erasure.Organisation{Name: "acme", Only: true}, organisationErase{IncludeDefault: true}, ""},
		{"with held interviews", erasure.Organisation{Name: "acme", Held: 2}, organisationErase{}, "2 interviews of acme are held"},
		{"with held interviews, meant", erasure.Organisation{Name: "acme", Held: 2}, organisationErase{IncludeHeld: true}, ""},
		{"one of several", erasure.Organisation{Name: "acme"}, organisationErase{}, ""},
	} {
		if err := tt.c.mayErase(tt.o); (err == nil) != (tt.says == "") || err != nil && !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.says)
		}
	}
	if list, err := command(t, url, "org", "list"); err != nil || strings.Count(list, "in use") != 3 {
		t.Errorf("the list is %q, %v", list, err)
	}
}

// Only the name itself confirms.
func TestErasingAnOrganisationAsksForItsName(t *testing.T) {
	t.Parallel()

	for typed, sure := range map[string]bool{"Acme Ltd\n": true, "Acme Ltd\r\n": true, "Acme Ltd": true, "acme ltd\n": false, "\n": false, "": false, "y\n": false, " Acme Ltd\n": false, "Acme Ltd and more\n": false} {
		var asked bytes.Buffer
		err := organisationErase{}.confirm(erasure.Organisation{Name: "Acme Ltd", Interviews: 7}, []string{"/srv/files"}, &streams{io.Discard, &asked, strings.NewReader(typed)})
		if (err == nil) != sure || !strings.Contains(asked.String(), "7 interviews") || !strings.Contains(asked.String(), "/srv/files") {
			t.Errorf("typing %q gives %v after %q", typed, err, &asked)
		}
	}
	if err := (organisationErase{Yes: true}).confirm(erasure.Organisation{Name: "x"}, nil, &streams{io.Discard, io.Discard, failing{}}); err != nil {
		t.Errorf("with --yes: %v", err)
	}
}

// failing is a terminal that nobody may read.
type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errors.New("nobody is asked") }

// A name that was mistyped makes no tenant.
func TestMistypedTenant(t *testing.T) {
	t.Parallel()

	url := postgrestest.URL(t)
	if _, err := command(t, url, "token", "create", "--tenant", "acme", "--user", "olga"); err != nil {
		t.Fatal(err)
	}
	for range 2 { // nor does asking twice
		if _, err := command(t, url, "token", "list", "--tenant", "acne"); !fault.Is(err, fault.NotFound) || !strings.Contains(err.Error(), `no tenant "acne"`) {
			t.Errorf("a mistyped name gives %v", err)
		}
	}
	if _, err := command(t, url, "token", "list", "--tenant", "acme"); err != nil {
		t.Error(err)
	}
}
