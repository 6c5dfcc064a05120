package webtest

import (
	"encoding/json"
	"io"
	"net/http"
	"unicode/utf16"

	"quaestor/obligations"
	"quaestor/web/tasks"
)

func utf16Of(s string) []uint16 { return utf16.Encode([]rune(s)) }

// Download returns a file's text and what is said of it.
func (w *World) Download(path string) (string, http.Header) {
	w.T.Helper()
	resp := w.Do(Request{Path: path})
	raw, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		w.T.Fatalf("%s answered %d (%v): %.400s", path, resp.StatusCode, err, raw)
	}
	return string(raw), resp.Header
}

// Proposes stages what a task made of its findings: a value on the obligation,
// with the claim as evidence.
func (w *World) Proposes(t tasks.TaskBody, key, value string) {
	w.T.Helper()
	evidence, err := json.Marshal([]obligations.Evidence{{Kind: obligations.ResearchEvidence, Turn: 1, Quote: Market[0].Quotes[0], Source: Market[0].URL, Task: t.ID, Claim: 1}})
	if err != nil {
		w.T.Fatal(err)
	}
	w.Exec(`UPDATE discovery_research_tasks SET proposal = jsonb_build_object('obligationKey', $2::text, 'value', $3::jsonb, 'claims', '[1]'::jsonb, 'by', 'rules') WHERE id = $1`, t.ID, key, value)
	w.Exec(`UPDATE elicitation_obligations SET status = 'partial', extracted_value = $3::jsonb, confidence = 0.55, evidence = $4::jsonb WHERE session_id = $1 AND obligation_key = $2`, t.SessionID, key, value, evidence)
}
