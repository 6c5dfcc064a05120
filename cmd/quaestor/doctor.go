package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"quaestor/internal/fault"
	"quaestor/internal/llm"
	"quaestor/internal/postgres/cluster"
	"quaestor/internal/postgres/connect"
	"quaestor/migrations"
	"quaestor/research/warehouse/duckdb"
	"quaestor/research/warehouse/sampledata"
)

// doctorCommand examines the installation.
type doctorCommand struct{}

// finding is one line of the doctor's report.
type finding struct {
	mark   string // ok; note or warn, which the server works with; bad, which it does not
	what   string
	remedy string // may be empty
}

// Run prints what is there and what is missing, each with its remedy. It fails when
// something keeps the server from working. It changes nothing and starts no database.
func (doctorCommand) Run(ctx context.Context, s *Settings, io *streams) error {
	list := append(checkSettings(s), checkDatabase(ctx, s)...)
	list = append(list, checkModel(ctx, s), checkEncoder(ctx, s), checkSearch(s), checkSpeech(s), checkFiles(), checkKeys(s))
	bad := 0
	for _, f := range list {
		if f.mark == "bad" {
			bad++
		}
		if _, err := fmt.Fprintf(io.out, "%-5s %s\n", f.mark, f.what); err != nil {
			return err
		}
		if f.remedy != "" {
			if _, err := fmt.Fprintf(io.out, "      → %s\n", f.remedy); err != nil {
				return err
			}
		}
	}
	if bad > 0 {
		return fault.New(fault.Unavailable, "%d thing(s) keep the server from working; see above", bad)
	}
	return nil
}

// checkSettings reports settings that are wrong, or unsafe outside development.
func checkSettings(s *Settings) []finding {
	if err := s.check(); err != nil {
		return []finding{{"bad", err.Error(), ""}}
	}
	out := []finding{{"ok", "settings: listens on " + s.Addr + ", identity by " + s.Auth, ""}}
	if s.Auth == "development" {
		out = append(out, finding{"warn", "everybody on this machine acts as the owner", "for anything but development: --auth tokens and quaestor token create"})
	}
	if !s.ModelKey.IsZero() && s.Model == "" {
		out = append(out, finding{"warn", "there is a key for a model, but no model is named", "set QUAESTOR_MODEL"})
	}
	return out
}

// checkDatabase reports whether the database can be used: an outside one is asked, of
// a private one the programs and the folder are looked for.
func checkDatabase(ctx context.Context, s *Settings) []finding {
	if s.DatabaseURL.IsZero() {
		return checkPrivate(ctx, s)
	}
	url := s.DatabaseURL.Reveal()
	if err := connect.Check(ctx, url); err != nil {
		return []finding{{"bad", "outside database: " + words(err), ""}}
	}
	out := []finding{{"ok", "outside database: answers, pgvector is there", ""}}
	if err := s.checkRoom(ctx, url); err != nil {
		out = append(out, finding{"bad", words(err), ""})
	}
	pending, err := migrations.Pending(ctx, url)
	switch {
	case err != nil:
		out = append(out, finding{"bad", "schema: " + words(err), "check that the role may create tables and roles"})
	case pending > 0:
		out = append(out, finding{"warn", fmt.Sprintf("schema: %d migrations are pending", pending), "quaestor migrate (serve does it too)"})
	default:
		out = append(out, finding{"ok", "schema: newest", ""})
	}
	if trouble, err := migrations.RoleTrouble(ctx, url); err != nil {
		out = append(out, finding{"bad", "role: " + words(err), ""})
	} else if trouble != "" {
		out = append(out, finding{"warn", "role: " + trouble, "quaestor migrate (serve does it too)"})
	} else {
		out = append(out, finding{"ok", "role: quaestor_app is there and may do what it has to", ""})
	}
	return out
}

// checkPrivate reports the PostgreSQL installations that could run the private database
// and the state of the data folder.
func checkPrivate(ctx context.Context, s *Settings) []finding {
	var out []finding
	usable := false
	for _, c := range cluster.Candidates(ctx, cluster.FindOptions{Bin: s.PGBin, DataDir: s.DataDir}) {
		if c.Why != "" {
			out = append(out, finding{"note", c.Bin + ": " + c.Why, ""})
			continue
		}
		usable = true
		out = append(out, finding{"ok", fmt.Sprintf("private database: PostgreSQL %s with pgvector %s in %s", c.Version, c.Vector, c.Bin), ""})
	}
	if !usable {
		out = append(out, finding{"bad", "private database: no PostgreSQL with pgvector", "make provision, or set DATABASE_URL"})
	}
	if err := cluster.CheckDataDir(s.DataDir); err != nil {
		return append(out, finding{"bad", words(err), ""})
	}
	if _, err := os.Stat(s.DataDir); err != nil {
		return append(out, finding{"ok", "data folder " + s.DataDir + ": will be made at the first start", ""})
	}
	return append(out, finding{"ok", "data folder " + s.DataDir, ""})
}

// modelLimit is how long the doctor waits for a model's server. It asks for no answer
// of the model, only for the list of models, which needs no more than a moment.
const modelLimit = 5 * time.Second

// checkModel asks the server of the interviewing model whether it is there and accepts
// the key.
func checkModel(ctx context.Context, s *Settings) finding {
	if s.Model == "" {
		return finding{"ok", "interviewer: the built-in rules (no model is configured)", "to use a model: QUAESTOR_MODEL, and OPENAI_BASE_URL, OPENAI_API_KEY as it needs"}
	}
	client, err := newClient(s)
	if err != nil {
		return finding{"bad", words(err), ""}
	}
	at := "interviewer: model " + s.Model + " at " + shownValue(s.ModelURL)
	if err := askModel(ctx, client); err != nil {
		return finding{"bad", at + " " + modelTrouble(err) + "; the rules answer in its place", modelRemedy("QUAESTOR_MODEL", "OPENAI_BASE_URL", "OPENAI_API_KEY")(err)}
	}
	return finding{"ok", at + " answers", ""}
}

// askModel asks a model's server whether it is there and accepts the key, and closes the
// client.
func askModel(ctx context.Context, client *llm.Client) error {
	defer client.Close()
	ctx, cancel := context.WithTimeout(ctx, modelLimit)
	defer cancel()
	return client.Check(ctx)
}

// modelTrouble returns what a model's server did when it was asked, as the second half
// of a sentence.
func modelTrouble(err error) string {
	var e *llm.Error
	switch {
	case !errors.As(err, &e):
		return "does not answer"
	case e.Class == llm.Refused && e.Status != 0:
		return fmt.Sprintf("refuses the key (status %d)", e.Status)
	case e.Status != 0 && e.Class == llm.NotJSON:
		return "answers with a page"
	case e.Status != 0:
		return fmt.Sprintf("is in trouble (status %d)", e.Status)
	case e.Class == llm.Timeout:
		return "does not answer in time"
	case e.Reason != "":
		return "does not answer (" + e.Reason + ")"
	}
	return "does not answer"
}

// checkFiles reports whether files of data can be explored.
func checkFiles() finding {
	samples := sampledata.New(sampleFolder(), duckdb.Built())
	defer samples.Close()
	switch state, _ := samples.Status(); state {
	case sampledata.Unsupported:
		return finding{"note", "files as warehouses: this program was built without DuckDB", "install g++ and run make again"}
	case sampledata.Ready:
		return finding{"ok", "files as warehouses: CSV, Parquet and DuckDB; sample data is there", ""}
	case sampledata.Missing, sampledata.Fetching, sampledata.Failed:
	}
	return finding{"note", "files as warehouses: CSV, Parquet and DuckDB; there is no sample data", "make provision, or fetch it on the Data page (both need npm)"}
}

// checkKeys reports whether passwords of warehouses can be stored, which needs keys to
// seal them with.
func checkKeys(s *Settings) finding {
	path := s.secretsFile()
	if path == "" {
		return finding{"warn", "passwords of warehouses and keys of models cannot be kept: there are no keys to seal them with", "set QUAESTOR_SECRETS_FILE to a file that every server has"}
	}
	if _, err := os.Stat(path); err != nil {
		return finding{"ok", "keys for passwords of warehouses and keys of models: " + path + ", will be made at the first start", ""}
	}
	if _, err := s.sealer(); err != nil {
		return finding{"bad", words(err), ""}
	}
	return finding{"ok", "keys for passwords of warehouses and keys of models: " + path, ""}
}

// checkSpeech reports what speaks and hears. It is never bad: browsers have voices of
// their own.
func checkSpeech(s *Settings) finding {
	v := newVoice(s)
	switch {
	case s.SpeechURL != "":
		return finding{"ok", "speech: " + s.SpeechModel + " and " + s.HearingModel + " at " + shownValue(s.SpeechURL), ""}
	case v.Speaks() == "" || v.Hears() == "":
		return finding{"note", "speech: " + able(v.Speaks(), "speaks") + ", " + able(v.Hears(), "hears") + " on this machine; the browser's own is used", "to have it here: install flite and pocketsphinx, or set QUAESTOR_SPEECH_URL"}
	}
	return finding{"ok", "speech: " + v.Speaks() + " and " + v.Hears(), ""}
}
