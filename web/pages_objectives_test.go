package web

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/sessions/objectives"
	"quaestor/web/ui"
)

// draftOf begins a draft of the active version of a context and returns its id.
func (w *world) draftOf(contextType string) string {
	w.t.Helper()
	o, err := w.server.Library.Active(w.t.Context(), w.tenant, contextType)
	if err != nil {
		w.t.Fatal(err)
	}
	resp := w.do(filled("/drafts", url.Values{"from": {"version"}, "version": {o.ID}}))
	id, ok := strings.CutPrefix(resp.Header.Get("Location"), "/drafts/")
	if resp.StatusCode != http.StatusSeeOther || !ok {
		w.t.Fatalf("beginning a draft answered %d, to %q", resp.StatusCode, resp.Header.Get("Location"))
	}
	return id
}

// draft is a draft as it is stored.
func (w *world) draft(id string) objectives.Draft {
	w.t.Helper()
	d, err := objectives.FindDraft(w.t.Context(), w.pool, w.tenant, id)
	if err != nil {
		w.t.Fatal(err)
	}
	return d
}

// fieldsOf are the fields of a page's form, as a browser would send them.
func fieldsOf(t testing.TB, root *html.Node, form string) url.Values {
	t.Helper()
	found := marked(root, form)
	if len(found) != 1 {
		t.Fatalf("%d forms %q on the page, want 1", len(found), form)
	}
	out := url.Values{}
	for n := range found[0].Descendants() {
		name := attribute(n, "name")
		switch {
		case name == "" || n.Data == "button":
		case n.Data == "textarea":
			out.Add(name, strings.TrimPrefix(words(n), "\n"))
		case n.Data == "select":
			out.Add(name, chosenOf(n))
		case attribute(n, "type") == "checkbox" && !slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "checked" }):
		default:
			out.Add(name, attribute(n, "value"))
		}
	}
	return out
}

func chosenOf(n *html.Node) string {
	for o := range n.Descendants() {
		if o.Data == "option" && slices.ContainsFunc(o.Attr, func(a html.Attribute) bool { return a.Key == "selected" }) {
			return attribute(o, "value")
		}
	}
	return ""
}

func questionAt(draft string, n int) string { return fmt.Sprintf("/drafts/%s/q/%d", draft, n) }

func TestReviewersReadObjectivesAndOthersDoNot(t *testing.T) {
	t.Parallel()

	w := open(t, terms{tokens: true})
	id := w.as(w.tenant, "ada", auth.Owner).draftOf("business_profile")
	gets := []string{"/objectives", "/objectives/business_profile", "/objectives/business_profile/1.3.0", "/objectives/business_profile/1.3.0/json", "/objectives/business_profile/diff",
		"/objectives/business_profile/running", "/drafts/" + id, questionAt(id, 1), "/drafts/" + id + "/general", "/drafts/" + id + "/graph", "/drafts/" + id + "/source",
		"/drafts/" + id + "/json", "/drafts/" + id + "/try", "/drafts/" + id + "/publish"}
	posts := []string{"/drafts", "/drafts/" + id + "/q", questionAt(id, 1), "/drafts/" + id + "/move", "/drafts/" + id + "/general", "/drafts/" + id + "/source",
		"/drafts/" + id + "/publish", "/drafts/" + id + "/discard", "/objectives/business_profile/1.3.0/activate"}

	reviewer, member := w.as(w.tenant, "rob", auth.Reviewer), w.as(w.tenant, "mia", auth.Member)
	for _, path := range gets {
		if got := reviewer.do(request{path: path, header: asPage}).StatusCode; got != http.StatusOK {
			t.Errorf("a reviewer gets %d of %s, want 200", got, path)
		}
		checkRefusal(t, member, refusal{request: request{path: path}, status: 403, code: "role_too_low"})
	}
	before := w.draft(id)
	for _, path := range posts {
		q := filled(path, url.Values{"do": {"remove"}})
		q.header["Accept"] = "application/json"
		checkRefusal(t, reviewer, refusal{request: q, status: 403, code: "role_too_low"})
	}
	if after := w.draft(id); after.Revision != before.Revision {
		t.Errorf("the draft went from revision %d to %d", before.Revision, after.Revision)
	}
}

func TestDraftOfAnotherTenantIsNotThere(t *testing.T) {
	t.Parallel()

	w := open(t, terms{tokens: true})
	id := w.as(w.tenant, "ada", auth.Owner).draftOf("business_profile")
	other, err := auth.EnsureTenant(t.Context(), w.pool, "elsewhere")
	if err != nil {
		t.Fatal(err)
	}
	stranger := w.as(other.ID, "eve", auth.Owner)

	for _, path := range []string{"/drafts/" + id, questionAt(id, 1), "/drafts/" + id + "/json", "/drafts/nonsense"} {
		checkRefusal(t, stranger, refusal{request: request{path: path}, status: 404, code: "draft_not_found"})
	}
}

func TestQuestionIsSavedAndChecked(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	id := w.draftOf("business_profile")
	fields := fieldsOf(t, w.shows(http.StatusOK, request{path: questionAt(id, 2)}), "question-form")
	for _, tt := range []struct {
		name, field, value string
		notes              string // testid of where the remark stands
		want               string
	}{
		{"unknown dependency", "dependencies", "nowhere", "notes-dependencies", "depends on \"nowhere\", which does not exist"},
		{"circle", "dependencies", "target_market", "notes-dependencies", "must not go in a circle"},
		{"duplicate key", "key", "offering_type", "findings", "is used by obligation"},
		{"bad condition", "satisfiedWhen", "confidence >= ", "notes-satisfiedWhen", "line 1, column 13"},
		{"no question", "prompt", "", "notes-prompt", "The question is missing"},
		{"out of range", "priority", "14", "notes-priority", "Priority must be 1 to 10, not 14"},
		{"no mark", "prompt", "Which trade", "notes-prompt", "no mark at its end"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			sent := url.Values{}
			for k, v := range fields {
				sent[k] = slices.Clone(v)
			}
			sent.Set(tt.field, tt.value)
			q := filled(questionAt(id, 2), sent)
			q.header["HX-Request"] = "true"
			part := w.shows(http.StatusOK, q)

			if got := words(marked(part, tt.notes)[0]); !strings.Contains(got, tt.want) {
				t.Errorf("%s says %q, want %q in it", tt.notes, got, tt.want)
			}
			seen := ""
			for n := range part.Descendants() {
				if attribute(n, "id") == "seen" {
					seen = attribute(n, "value")
				}
			}
			if seen == "" || seen == sent.Get("seen") {
				t.Errorf("the fingerprint stays %q, want that of what is saved now", seen)
			}
			fields.Set("seen", seen)
		})
	}
}

// A new question is saved though what was typed was saved before, under a key that
// followed its name.
func TestNewQuestionIsSavedAfterWhatWasTyped(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	id := w.draftOf("business_profile")
	made := w.do(filled("/drafts/"+id+"/q", url.Values{}))
	path := made.Header.Get("Location")
	if made.StatusCode != http.StatusSeeOther || !strings.Contains(path, "/q/") {
		t.Fatalf("adding a question answered %d, to %q", made.StatusCode, path)
	}
	fields := fieldsOf(t, w.shows(http.StatusOK, request{path: path}), "question-form")
	fields.Set("key", "")
	typed := func(name, prompt string) {
		fields.Set("label", name)
		fields.Set("prompt", prompt)
		q := filled(path, fields)
		q.header["HX-Request"] = "true"
		part := w.shows(http.StatusOK, q)
		for n := range part.Descendants() {
			if attribute(n, "id") == "seen" {
				fields.Set("seen", attribute(n, "value"))
			}
		}
	}
	typed("Del", "")
	typed("Delivery", "")
	before := fields.Get("seen")
	typed("Delivery to you", "How do you deliver?")
	fields.Set("seen", before) // the press of the button overtook the answer

	saved := w.do(filled(path, fields))

	if saved.StatusCode != http.StatusSeeOther {
		t.Errorf("saving answered %d, want 303", saved.StatusCode)
	}
	list := w.draft(id).Definition.Obligations
	if last := list[len(list)-1]; last.Key != "delivery_to_you" || last.Prompt != "How do you deliver?" {
		t.Errorf("the question is %s, %q, want delivery_to_you and what was typed", last.Key, last.Prompt)
	}
}

func TestWhatCannotBeStoredIsShownAgain(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	id := w.draftOf("business_profile")
	fields := fieldsOf(t, w.shows(http.StatusOK, request{path: questionAt(id, 2)}), "question-form")
	fields.Set("priority", "very much")
	fields.Set("label", "Trade")

	root := w.shows(http.StatusUnprocessableEntity, filled(questionAt(id, 2), fields))

	if got := words(marked(root, "notes-priority")[0]); !strings.Contains(got, "very much") {
		t.Errorf("the field says %q", got)
	}
	if got := attribute(marked(root, "field-label")[0], "value"); got != "Trade" {
		t.Errorf("the name is %q, want what was typed", got)
	}
	if d := w.draft(id); d.Revision != 1 {
		t.Errorf("revision %d was stored", d.Revision)
	}
}

// Two people have the same question open. The second is told what the first
// saved, keeps their own words, and overwrites nothing unless they say so.
func TestSecondEditorIsTold(t *testing.T) {
	t.Parallel()

	w := open(t, terms{tokens: true})
	ada, bob := w.as(w.tenant, "ada", auth.Owner), w.as(w.tenant, "bob", auth.Admin)
	id := ada.draftOf("business_profile")
	mine := fieldsOf(t, bob.shows(http.StatusOK, request{path: questionAt(id, 2)}), "question-form")
	hers := fieldsOf(t, ada.shows(http.StatusOK, request{path: questionAt(id, 2)}), "question-form")
	hers.Set("prompt", "Which trade are you in?")
	if got := ada.do(filled(questionAt(id, 2), hers)).StatusCode; got != http.StatusSeeOther {
		t.Fatalf("the first editor got %d", got)
	}
	mine.Set("prompt", "Which line of business is it?")

	root := bob.shows(http.StatusConflict, filled(questionAt(id, 2), mine))

	told := words(marked(root, "clash")[0])
	for _, want := range []string{"ada changed this", "Which trade are you in?", "Which line of business is it?"} {
		if !strings.Contains(told, want) {
			t.Errorf("the second editor reads %q, want %q in it", told, want)
		}
	}
	if got := w.draft(id).Definition.Obligations[1].Prompt; got != "Which trade are you in?" {
		t.Errorf("stored is %q", got)
	}
	mine.Set("over", attribute(marked(root, "save-over")[0], "value"))
	if got := bob.do(filled(questionAt(id, 2), mine)).StatusCode; got != http.StatusSeeOther || w.draft(id).Definition.Obligations[1].Prompt != "Which line of business is it?" {
		t.Errorf("saving over it got %d, stored is %q", got, w.draft(id).Definition.Obligations[1].Prompt)
	}
}

// An edit follows its question to where another moved it, and edits of two
// questions do not get in each other's way.
func TestEditsOfOtherQuestionsDoNotClash(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	id := w.draftOf("business_profile")
	fields := fieldsOf(t, w.shows(http.StatusOK, request{path: questionAt(id, 2)}), "question-form")
	move := url.Values{"n": {"2"}, "to": {"1"}, "key": {"industry"}}
	if got := w.do(filled("/drafts/"+id+"/move", move)).StatusCode; got != http.StatusSeeOther {
		t.Fatalf("moving got %d", got)
	}
	fields.Set("label", "Trade")
	resp := w.do(filled(questionAt(id, 2), fields))

	d := w.draft(id).Definition
	if resp.StatusCode != http.StatusSeeOther || resp.Header.Get("Location") != questionAt(id, 1) || d.Obligations[0].Label != "Trade" || d.Obligations[1].Key != "business_overview" {
		t.Errorf("answered %d to %s; the first two are %q and %q", resp.StatusCode, resp.Header.Get("Location"), d.Obligations[0].Label, d.Obligations[1].Key)
	}
	if got := w.do(filled("/drafts/"+id+"/move", move)).StatusCode; got != http.StatusConflict {
		t.Errorf("moving what is not there any more got %d, want 409", got)
	}
}

func TestQuestionsAreAddedAndRemoved(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	id := w.draftOf("business_profile")
	before := len(w.draft(id).Definition.Obligations)
	resp := w.do(filled("/drafts/"+id+"/q", url.Values{"after": {"2"}}))
	if got := resp.Header.Get("Location"); got != questionAt(id, 3) {
		t.Fatalf("adding leads to %q", got)
	}
	fields := fieldsOf(t, w.shows(http.StatusOK, request{path: questionAt(id, 3)}), "question-form")
	if fields.Get("category") != "The business" || len(w.draft(id).Definition.Obligations) != before+1 {
		t.Errorf("the new question is under %q, there are %d", fields.Get("category"), len(w.draft(id).Definition.Obligations))
	}
	fields.Set("do", "remove")
	w.do(filled(questionAt(id, 3), fields))

	if got := len(w.draft(id).Definition.Obligations); got != before {
		t.Errorf("%d questions are left of %d", got, before)
	}
}

func TestSourceIsRefusedWithItsPlaceAndKept(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	id := w.draftOf("business_profile")
	fields := fieldsOf(t, w.shows(http.StatusOK, request{path: "/drafts/" + id + "/source"}), "source-form")
	for _, tt := range []struct{ name, text, want string }{
		{"no JSON", "{\n  \"contextType\": ,\n}", "Line 2"},
		{"an unknown field", "{\n  \"contextTyp\": \"x\"\n}", "contextTyp"},
		{"a wrong type", "{\n  \"obligations\": 3\n}", "must be a list"},
	} {
		fields.Set("source", tt.text)
		root := w.shows(http.StatusUnprocessableEntity, filled("/drafts/"+id+"/source", fields))
		if got := words(marked(root, "source-faults")[0]); !strings.Contains(got, tt.want) {
			t.Errorf("%s: the page says %q, want %q in it", tt.name, got, tt.want)
		}
		if got := strings.TrimSpace(words(marked(root, "source")[0])); !strings.Contains(got, "contextTyp") && tt.name == "an unknown field" {
			t.Errorf("%s: the text is %q, want what was typed", tt.name, got)
		}
	}
	if d := w.draft(id); d.Revision != 1 {
		t.Errorf("revision %d was stored", d.Revision)
	}
}

func TestDraftIsPublishedWithItsAuthor(t *testing.T) {
	t.Parallel()

	w := open(t, terms{tokens: true}).as2("ada")
	id := w.draftOf("business_profile")
	fields := fieldsOf(t, w.shows(http.StatusOK, request{path: questionAt(id, 2)}), "question-form")
	fields.Set("prompt", "Which trade are you in?")
	w.do(filled(questionAt(id, 2), fields))
	form := fieldsOf(t, w.shows(http.StatusOK, request{path: "/drafts/" + id + "/publish"}), "publish-form")
	if got := form.Get("version"); got != "1.3.1" {
		t.Errorf("proposed is %s, want 1.3.1 for another wording", got)
	}
	stale := url.Values{}
	for k, v := range form {
		stale[k] = slices.Clone(v)
	}
	fields = fieldsOf(t, w.shows(http.StatusOK, request{path: questionAt(id, 2)}), "question-form")
	fields.Set("priority", "3")
	w.do(filled(questionAt(id, 2), fields))
	root := w.shows(http.StatusConflict, filled("/drafts/"+id+"/publish", stale))
	if got := words(marked(root, "failure")[0]); !strings.Contains(got, "edited this draft") {
		t.Errorf("a stale page says %q", got)
	}

	form = fieldsOf(t, root, "publish-form")
	form.Set("version", "1.3.0")
	root = w.shows(http.StatusConflict, filled("/drafts/"+id+"/publish", form))
	if got := words(root); !strings.Contains(got, "is published already") {
		t.Errorf("a version that is there already: %.200q", got)
	}
	form.Set("version", "1.4.0")
	form.Set("note", "Trades <b>first</b>")
	if resp := w.do(filled("/drafts/"+id+"/publish", form)); resp.StatusCode != http.StatusSeeOther {
		t.Fatalf("publishing got %d", resp.StatusCode)
	}

	told := words(marked(w.shows(http.StatusOK, request{path: "/objectives/business_profile"}), "releases")[0])
	for _, want := range []string{"ada", "published", "1.4.0", "Trades <b>first</b>"} {
		if !strings.Contains(told, want) {
			t.Errorf("the record says %q, want %q in it", told, want)
		}
	}
	if o, err := w.server.Library.Active(t.Context(), w.tenant, "business_profile"); err != nil || o.Version != "1.4.0" || o.Definition.Obligations[1].Prompt != "Which trade are you in?" {
		t.Errorf("active is %s (%v)", o.Version, err)
	}
	checkRefusal(t, w, refusal{request: request{path: "/drafts/" + id}, status: 404, code: "draft_not_found"})
}

// as2 is the world seen by an owner of that name.
func (w *world) as2(user string) *world { return w.as(w.tenant, user, auth.Owner) }

func TestFaultyDraftIsNotPublished(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	id := w.draftOf("business_profile")
	form := fieldsOf(t, w.shows(http.StatusOK, request{path: "/drafts/" + id + "/publish"}), "publish-form")
	w.do(filled("/drafts/"+id+"/q", url.Values{}))
	form.Set("revision", "2")

	root := w.shows(http.StatusUnprocessableEntity, filled("/drafts/"+id+"/publish", form))
	if len(marked(root, "cannot-publish")) != 1 || len(marked(root, "publish-form")) != 0 {
		t.Errorf("the page: %.400q", words(root))
	}
	if o, err := w.server.Library.Active(t.Context(), w.tenant, "business_profile"); err != nil || o.Version != "1.3.0" {
		t.Errorf("active is %s (%v), want 1.3.0", o.Version, err)
	}
}

func TestAnotherPublisherIsNotOvertaken(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	first, second := w.draftOf("business_profile"), w.draftOf("business_profile")
	form := fieldsOf(t, w.shows(http.StatusOK, request{path: "/drafts/" + second + "/publish"}), "publish-form")
	hers := fieldsOf(t, w.shows(http.StatusOK, request{path: "/drafts/" + first + "/publish"}), "publish-form")
	w.do(filled("/drafts/"+first+"/publish", hers))
	form.Set("version", "7.0.0")

	root := w.shows(http.StatusConflict, filled("/drafts/"+second+"/publish", form))
	if got := words(marked(root, "failure")[0]); !strings.Contains(got, "another version of business_profile became active") {
		t.Errorf("the page says %q", got)
	}
}

func TestActivatingAnOlderVersionIsOnRecord(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	id := w.draftOf("business_profile")
	w.do(filled("/drafts/"+id+"/publish", fieldsOf(t, w.shows(http.StatusOK, request{path: "/drafts/" + id + "/publish"}), "publish-form")))
	w.begin("business_profile")
	w.do(filled("/objectives/business_profile/1.3.0/activate", url.Values{"note": {"Too soon"}}))

	told := words(marked(w.shows(http.StatusOK, request{path: "/objectives/business_profile"}), "releases")[0])
	if !strings.Contains(told, "went back to") || !strings.Contains(told, "Too soon") {
		t.Errorf("the record says %q", told)
	}
	moves := words(marked(w.shows(http.StatusOK, request{path: "/objectives/business_profile/running"}), "moves")[0])
	if !strings.Contains(moves, "kept") || !strings.Contains(moves, "developer") {
		t.Errorf("running interviews: %q", moves)
	}
	checkRefusal(t, w, refusal{request: request{path: "/objectives/business_profile/9.9.9"}, status: 404, code: "objective_not_found"})
}

func TestDraftsAreBegunFromNothingAndFromFiles(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	for _, tt := range []struct {
		name   string
		fields url.Values
		status int
		want   string // context type of the draft, or what the page says
	}{
		{"nothing", url.Values{"from": {"nothing"}, "displayName": {"Vendor check!"}}, 303, "vendor_check"},
		{"nothing without a name", url.Values{"from": {"nothing"}}, 422, "needs a name"},
		{"a document with faults", url.Values{"from": {"file"}, "document": {`{"contextType": "shop", "version": "1.0.0", "obligations": [{"key": "a"}, {"key": "a"}]}`}}, 303, "shop"},
		{"a layer", url.Values{"from": {"file"}, "document": {`{"extends": "business_profile", "version": "2.0.0", "remove": []}`}}, 303, "business_profile"},
		{"a broken document", url.Values{"from": {"file"}, "document": {`{"contextType": "shop",`}}, 422, "Line 1"},
		{"no document", url.Values{"from": {"file"}}, 422, "Choose a file"},
		{"a JSON Schema", url.Values{"from": {"file"}, "schema": {"on"}, "contextType": {"order"}, "document": {`{"type": "object", "properties": {"size": {"type": "integer", "title": "Size"}}}`}}, 303, "order"},
		{"no JSON Schema", url.Values{"from": {"file"}, "schema": {"on"}, "document": {`{"type": "object", "not": {}}`}}, 422, "not"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.status == http.StatusUnprocessableEntity {
				root := w.shows(tt.status, filled("/drafts", tt.fields))
				if got := words(marked(root, "shelf")[0]); !strings.Contains(got, tt.want) {
					t.Errorf("the page says %.300q, want %q in it", got, tt.want)
				}
				return
			}
			resp := w.do(filled("/drafts", tt.fields))
			id := strings.TrimPrefix(resp.Header.Get("Location"), "/drafts/")
			if got := w.draft(id).Definition.ContextType; resp.StatusCode != tt.status || got != tt.want {
				t.Errorf("answered %d with a draft of %q, want %d of %q", resp.StatusCode, got, tt.status, tt.want)
			}
		})
	}
}

func TestDraftIsTriedAndNothingIsKept(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	w.server.Rehearsals = Rehearsals{
		Personas: func(*objectives.Definition) ([]ui.Player, error) {
			return []ui.Player{{Name: "one", About: "Says <i>little</i>."}}, nil
		},
		Play: func(_ context.Context, d *objectives.Definition, name string) (ui.Played, error) {
			if name != "one" {
				return ui.Played{}, fault.New(fault.NotFound, "nobody of that name")
			}
			return ui.Played{Turns: []ui.PlayedTurn{{N: 1, Reply: d.Obligations[0].Prompt}}, Unasked: []ui.PlayedKey{{Key: "industry", Name: "Industry"}}}, nil
		},
	}
	id := w.draftOf("business_profile")
	root := w.shows(http.StatusOK, filled("/drafts/"+id+"/try", url.Values{"who": {"one"}}))

	if got := words(marked(root, "dialogue")[0]); !strings.Contains(got, "what does your business do") {
		t.Errorf("the conversation: %q", got)
	}
	if got := words(marked(root, "played-never")[0]); !strings.Contains(got, "Industry") {
		t.Errorf("never asked: %q", got)
	}
	w.shows(http.StatusUnprocessableEntity, filled("/drafts/"+id+"/try", url.Values{"who": {"somebody else"}}))
	w.do(filled("/drafts/"+id+"/q", url.Values{}))
	if root := w.shows(http.StatusUnprocessableEntity, filled("/drafts/"+id+"/try", url.Values{"who": {"one"}})); len(marked(root, "cannot-try")) != 1 {
		t.Errorf("a draft with faults is tried")
	}
}

// On a phone the form is below what is there already: the page comes back where the
// name is missing.
func TestDraftWithoutANameComesBackAtItsName(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	status, _, page := w.browser().open("/drafts", url.Values{"from": {"nothing"}, "displayName": {""}})
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}

	var at []string
	for n := range root.Descendants() {
		if slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "autofocus" }) {
			at = append(at, attribute(n, "name"))
		}
	}

	if status != http.StatusUnprocessableEntity || len(at) == 0 || at[0] != "displayName" {
		t.Errorf("answered %d, at %q", status, at)
	}
}

func TestTabsOfADraftAreToldApart(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	id := w.draftOf("business_profile")
	seen := map[string]string{}
	for _, part := range []string{"", "/q/1", "/q/2", "/general", "/graph", "/source", "/try", "/publish"} {
		_, _, page := w.browser().open("/drafts/"+id+part, nil)
		_, rest, _ := strings.Cut(page, "<title>")
		title, _, _ := strings.Cut(rest, "</title>")
		if was, ok := seen[title]; ok {
			t.Errorf("%q and %q are both called %q", was, part, title)
		}
		seen[title] = part
	}
}
