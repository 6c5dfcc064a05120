package objectives_test

import (
	"errors"
	"strings"
	"sync"
	"testing"

	"quaestor/internal/fault"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/sessions/objectives"
)

// Editors of one draft go one after the other, so none of their edits is lost.
func TestEditsOfADraftAreNotLost(t *testing.T) {
	t.Parallel()

	pool := postgrestest.DB(t)
	tenant := postgrestest.Tenant(t, pool)
	d, err := objectives.BeginDraft(t.Context(), pool, tenant, "ada", "", lettered())
	if err != nil {
		t.Fatal(err)
	}
	const editors = 8
	var wg sync.WaitGroup
	for range editors {
		wg.Go(func() {
			_, err := objectives.EditDraft(t.Context(), pool, tenant, d.ID, "bob", func(d *objectives.Draft) error {
				d.Definition.Description += "x"
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()

	got, err := objectives.FindDraft(t.Context(), pool, tenant, d.ID)
	if err != nil || got.Definition.Description != strings.Repeat("x", editors) || got.Revision != 1+editors || got.EditedBy != "bob" || got.MadeBy != "ada" {
		t.Errorf("after %d edits: %q, revision %d, by %s (%v)", editors, got.Definition.Description, got.Revision, got.EditedBy, err)
	}
}

func TestRefusedEditLeavesTheDraft(t *testing.T) {
	t.Parallel()

	pool := postgrestest.DB(t)
	tenant := postgrestest.Tenant(t, pool)
	d, err := objectives.BeginDraft(t.Context(), pool, tenant, "ada", "", lettered())
	if err != nil {
		t.Fatal(err)
	}
	refused := errors.New("refused")
	_, err = objectives.EditDraft(t.Context(), pool, tenant, d.ID, "bob", func(d *objectives.Draft) error {
		d.Definition.Remove(0)
		return refused
	})
	if !errors.Is(err, refused) {
		t.Errorf("EditDraft = %v, want the edit's own error", err)
	}
	if _, err := objectives.EditDraft(t.Context(), pool, tenant, d.ID, "bob", func(*objectives.Draft) error { return nil }); err != nil {
		t.Fatal(err)
	}

	got, err := objectives.FindDraft(t.Context(), pool, tenant, d.ID)
	if err != nil || len(got.Definition.Obligations) != 3 || got.Revision != 1 {
		t.Errorf("the draft has %d questions at revision %d (%v), want 3 at 1", len(got.Definition.Obligations), got.Revision, err)
	}
	if err := objectives.DiscardDraft(t.Context(), pool, tenant, d.ID); err != nil {
		t.Fatal(err)
	}
	if err := objectives.DiscardDraft(t.Context(), pool, tenant, d.ID); !fault.Is(err, fault.NotFound) {
		t.Errorf("throwing it away twice = %v, want NotFound", err)
	}
}

func FuzzReadDraft(f *testing.F) {
	for _, d := range objectives.Shipped() {
		data, err := d.JSON()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(data[:min(len(data), 2000)]))
	}
	for _, seed := range []string{"", "{}", "null", `{"obligations":[{}]}`, `{"extends":"business_profile","version":"1.0.0"}`, `{"a":1,"a":2}`, `{"obligations":[null]}`, `{"phases":null}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, remarks := objectives.ReadDraft([]byte(text))
		if len(remarks) > 0 {
			return
		}
		data, err := d.JSON()
		if err != nil {
			t.Fatalf("a draft that was read cannot be written: %v", err)
		}
		again, remarks := objectives.ReadDraft(data)
		if len(remarks) > 0 {
			t.Fatalf("a draft that was written cannot be read: %v", remarks)
		}
		if diff, err := objectives.DiffOf(&d, &again); err != nil || len(diff.Changes) > 0 {
			t.Fatalf("it reads back otherwise (%v): %s", err, diff.Text())
		}
	})
}
