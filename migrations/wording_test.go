package migrations_test

import (
	"encoding/json"
	"strings"
	"testing"

	"quaestor/migrations"
)

// beforeWording is the last version that published what people bring up in their
// own words.
const beforeWording = 27

// What was published in somebody's own words is put neutrally, in every version and
// draft; what a model had worded, and what authors wrote, stays. The keys stay, since
// sessions hold them.
func TestPublishedQuotesAreTakenBack(t *testing.T) {
	t.Parallel()

	hosted, super := lodged(t)
	upTo(t, hosted, beforeWording)
	quoted := `{"key": "old_cards", "fieldPath": "came_up.old_cards", "label": "The old patient cards must", "prompt": "You brought up “the old patient cards must be scanned”. What do we need to know about it?", "widgetType": "text", "priority": 5}`
	repeated := `{"key": "night", "fieldPath": "came_up.night", "label": "Nights", "prompt": "Why does Almeida sleep on the night shift?", "why": "Almeida said so", "widgetType": "text", "priority": 5}`
	neutral := `{"key": "audits", "fieldPath": "came_up.audits", "label": "Audits", "prompt": "Who examines the books?", "widgetType": "text", "priority": 5}`
	authored := `{"key": "cards", "fieldPath": "cards", "prompt": "You brought up “cards”?", "widgetType": "text", "priority": 5}`
	config := `{"contextType": "shop", "obligations": [` + strings.Join([]string{quoted, repeated, neutral, authored}, ", ") + `]}`
	tenant, id := "11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"
	for _, step := range []struct {
		statement string
		config    []any
	}{
		{`INSERT INTO tenants (id, name) VALUES ($1, $2)`, nil},
		{`INSERT INTO discovery_objectives (tenant_id, id, context_type, display_name, config, layering) VALUES ($1, $2, 'shop', 'Shop', $3::text::jsonb, json_build_object('overlay', $3::text::json))`, []any{config}},
		{`INSERT INTO objective_drafts (tenant_id, id, base_id, document, made_by, edited_by) VALUES ($1, $2, $2, $3::text, 'someone', 'someone')`, []any{config}},
		{`INSERT INTO elicitation_sessions (tenant_id, id, objective_id, context_type, user_id) VALUES ($1, $2, $2, 'shop', 'someone')`, nil},
		{`INSERT INTO messages (tenant_id, session_id, turn, role, content) VALUES ($1, $2, 1, 'user', 'Almeida sleeps. Almeida! Sleep on the night shift, he does.')`, nil},
		{`INSERT INTO elicitation_obligations (tenant_id, session_id, obligation_key, position, field_path, collection_type, widget_type, task_priority, source)
		 SELECT $1, $2, key, 1, 'came_up.x', 'inferred', 'text', 5, 'approved' FROM unnest(ARRAY['night', 'audits']) AS key`, nil},
	} {
		if _, err := super.Exec(t.Context(), step.statement, append([]any{tenant, id}, step.config...)...); err != nil {
			t.Fatalf("%s: %v", step.statement, err)
		}
	}

	if err := migrations.Up(t.Context(), hosted); err != nil {
		t.Fatal(err)
	}

	var stored, overlay, draft string
	if err := super.QueryRow(t.Context(), `SELECT config::text, layering::text, (SELECT document FROM objective_drafts) FROM discovery_objectives`).Scan(&stored, &overlay, &draft); err != nil {
		t.Fatal(err)
	}
	for where, text := range map[string]string{"the version": stored, "the layers": overlay, "the draft": draft} {
		for _, words := range []string{"patient cards", "sleep on the night"} {
			if strings.Contains(text, words) {
				t.Errorf("%s still says %q: %s", where, words, text)
			}
		}
		for _, words := range []string{"Who examines the books?", "You brought up “cards”?", "Is there anything else we should know?", "Is anything still missing that matters to you?"} {
			if !strings.Contains(text, words) {
				t.Errorf("%s does not say %q: %s", where, words, text)
			}
		}
	}
	var definition struct {
		Obligations []struct{ Key, Label, Why string }
	}
	if err := json.Unmarshal([]byte(stored), &definition); err != nil || len(definition.Obligations) != 4 {
		t.Fatalf("%v: %s", err, stored)
	}
	if o := definition.Obligations[1]; o.Key != "night" || o.Label != "Anything else" || o.Why != "" {
		t.Errorf("the second is %+v", o)
	}
}
