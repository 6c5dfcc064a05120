package objectives_test

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
	objectivepages "quaestor/web/objectives"
	"quaestor/web/webtest"
)

// fieldsOf returns the fields of a page's form, as a browser would send them.
func fieldsOf(t testing.TB, root *html.Node, form string) url.Values {
	t.Helper()
	found := webtest.Marked(root, form)
	if len(found) != 1 {
		t.Fatalf("%d forms %q on the page, want 1", len(found), form)
	}
	out := url.Values{}
	for n := range found[0].Descendants() {
		name := webtest.Attribute(n, "name")
		switch {
		case name == "" || n.Data == "button":
		case n.Data == "textarea":
			out.Add(name, strings.TrimPrefix(webtest.Words(n), "\n"))
		case n.Data == "select":
			out.Add(name, chosenOf(n))
		case webtest.Attribute(n, "type") == "checkbox" && !slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "checked" }):
		default:
			out.Add(name, webtest.Attribute(n, "value"))
		}
	}
	return out
}

// chosenOf returns the value that is chosen in a select.
func chosenOf(n *html.Node) string {
	for o := range n.Descendants() {
		if o.Data == "option" && slices.ContainsFunc(o.Attr, func(a html.Attribute) bool { return a.Key == "selected" }) {
			return webtest.Attribute(o, "value")
		}
	}
	return ""
}

func questionAt(draft string, n int) string { return fmt.Sprintf("/drafts/%s/q/%d", draft, n) }

func TestReviewersReadObjectivesAndOthersDoNot(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{Tokens: true})
	id := w.As(w.Tenant, "ada", auth.Owner).DraftOf("business_profile")
	gets := []string{"/objectives", "/objectives/business_profile", "/objectives/business_profile/1.8.1", "/objectives/business_profile/1.8.1/json", "/objectives/business_profile/diff",
		"/objectives/business_profile/running", "/drafts/" + id, questionAt(id, 1), "/drafts/" + id + "/general", "/drafts/" + id + "/graph", "/drafts/" + id + "/source",
		"/drafts/" + id + "/json", "/drafts/" + id + "/try", "/drafts/" + id + "/publish"}
	posts := []string{"/drafts", "/drafts/" + id + "/q", questionAt(id, 1), "/drafts/" + id + "/move", "/drafts/" + id + "/general", "/drafts/" + id + "/source",
		"/drafts/" + id + "/publish", "/drafts/" + id + "/discard", "/objectives/business_profile/1.8.1/activate"}

	reviewer, member := w.As(w.Tenant, "rob", auth.Reviewer), w.As(w.Tenant, "mia", auth.Member)
	for _, path := range gets {
		if got := reviewer.Do(webtest.Request{Path: path, Header: webtest.AsPage}).StatusCode; got != http.StatusOK {
			t.Errorf("a reviewer gets %d of %s, want 200", got, path)
		}
		webtest.CheckRefusal(t, member, webtest.Refusal{Request: webtest.Request{Path: path}, Status: 403, Code: "role_too_low"})
	}
	before := w.Draft(id)
	for _, path := range posts {
		q := webtest.Filled(path, url.Values{"do": {"remove"}})
		q.Header["Accept"] = "application/json"
		webtest.CheckRefusal(t, reviewer, webtest.Refusal{Request: q, Status: 403, Code: "role_too_low"})
	}
	if after := w.Draft(id); after.Revision != before.Revision {
		t.Errorf("the draft went from revision %d to %d", before.Revision, after.Revision)
	}
}

func TestDraftOfAnotherTenantIsNotThere(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{Tokens: true})
	id := w.As(w.Tenant, "ada", auth.Owner).DraftOf("business_profile")
	other, err := auth.EnsureTenant(t.Context(), w.Pool, "elsewhere")
	if err != nil {
		t.Fatal(err)
	}
	stranger := w.As(other.ID, "eve", auth.Owner)

	for _, path := range []string{"/drafts/" + id, questionAt(id, 1), "/drafts/" + id + "/json", "/drafts/nonsense"} {
		webtest.CheckRefusal(t, stranger, webtest.Refusal{Request: webtest.Request{Path: path}, Status: 404, Code: "draft_not_found"})
	}
}

func TestQuestionIsSavedAndChecked(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	id := w.DraftOf("business_profile")
	fields := fieldsOf(t, w.Shows(http.StatusOK, webtest.Request{Path: questionAt(id, 2)}), "question-form")
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
		{"rules of what is asked", "inference", `[{"when": [{"key": "nowhere", "equals": "x"}], "then": "small", "because": "So."}]`, "notes-inference", "set collectionType to inferred"},
		{"no mark", "prompt", "Which trade", "notes-prompt", "no mark at its end"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			sent := url.Values{}
			for k, v := range fields {
				sent[k] = slices.Clone(v)
			}
			sent.Set("collectionType", "direct_question")
			sent.Set(tt.field, tt.value)
			q := webtest.Filled(questionAt(id, 2), sent)
			q.Header["HX-Request"] = "true"
			part := w.Shows(http.StatusOK, q)

			if got := webtest.Words(webtest.Marked(part, tt.notes)[0]); !strings.Contains(got, tt.want) {
				t.Errorf("%s says %q, want %q in it", tt.notes, got, tt.want)
			}
			seen := ""
			for n := range part.Descendants() {
				if webtest.Attribute(n, "id") == "seen" {
					seen = webtest.Attribute(n, "value")
				}
			}
			if seen == "" || seen == sent.Get("seen") {
				t.Errorf("the fingerprint stays %q, want that of what is saved now", seen)
			}
			fields.Set("seen", seen)
		})
	}
}

// While a question is typed, each save changes its key with its name. The save that follows
// must still find it.
func TestNewQuestionIsSavedAfterWhatWasTyped(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	id := w.DraftOf("business_profile")
	made := w.Do(webtest.Filled("/drafts/"+id+"/q", url.Values{}))
	path := made.Header.Get("Location")
	if made.StatusCode != http.StatusSeeOther || !strings.Contains(path, "/q/") {
		t.Fatalf("adding a question answered %d, to %q", made.StatusCode, path)
	}
	fields := fieldsOf(t, w.Shows(http.StatusOK, webtest.Request{Path: path}), "question-form")
	fields.Set("key", "")
	typed := func(name, prompt string) {
		fields.Set("label", name)
		fields.Set("prompt", prompt)
		q := webtest.Filled(path, fields)
		q.Header["HX-Request"] = "true"
		part := w.Shows(http.StatusOK, q)
		for n := range part.Descendants() {
			if webtest.Attribute(n, "id") == "seen" {
				fields.Set("seen", webtest.Attribute(n, "value"))
			}
		}
	}
	typed("Del", "")
	typed("Delivery", "")
	before := fields.Get("seen")
	typed("Delivery to you", "How do you deliver?")
	fields.Set("seen", before) // the press of the button overtook the answer

	saved := w.Do(webtest.Filled(path, fields))

	if saved.StatusCode != http.StatusSeeOther {
		t.Errorf("saving answered %d, want 303", saved.StatusCode)
	}
	list := w.Draft(id).Definition.Obligations
	if last := list[len(list)-1]; last.Key != "delivery_to_you" || last.Prompt != "How do you deliver?" {
		t.Errorf("the question is %s, %q, want delivery_to_you and what was typed", last.Key, last.Prompt)
	}
}

func TestWhatCannotBeStoredIsShownAgain(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	id := w.DraftOf("business_profile")
	fields := fieldsOf(t, w.Shows(http.StatusOK, webtest.Request{Path: questionAt(id, 2)}), "question-form")
	fields.Set("priority", "very much")
	fields.Set("label", "Trade")

	root := w.Shows(http.StatusUnprocessableEntity, webtest.Filled(questionAt(id, 2), fields))

	if got := webtest.Words(webtest.Marked(root, "notes-priority")[0]); !strings.Contains(got, "very much") {
		t.Errorf("the field says %q", got)
	}
	if got := webtest.Attribute(webtest.Marked(root, "field-label")[0], "value"); got != "Trade" {
		t.Errorf("the name is %q, want what was typed", got)
	}
	if d := w.Draft(id); d.Revision != 1 {
		t.Errorf("revision %d was stored", d.Revision)
	}
}

// Two people have the same question open. The second is told what the first saved, keeps
// their own words, and overwrites nothing unless they decide to.
func TestSecondEditorIsTold(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{Tokens: true})
	ada, bob := w.As(w.Tenant, "ada", auth.Owner), w.As(w.Tenant, "bob", auth.Admin)
	id := ada.DraftOf("business_profile")
	mine := fieldsOf(t, bob.Shows(http.StatusOK, webtest.Request{Path: questionAt(id, 2)}), "question-form")
	hers := fieldsOf(t, ada.Shows(http.StatusOK, webtest.Request{Path: questionAt(id, 2)}), "question-form")
	hers.Set("prompt", "Which trade are you in?")
	if got := ada.Do(webtest.Filled(questionAt(id, 2), hers)).StatusCode; got != http.StatusSeeOther {
		t.Fatalf("the first editor got %d", got)
	}
	mine.Set("prompt", "Which line of business is it?")

	root := bob.Shows(http.StatusConflict, webtest.Filled(questionAt(id, 2), mine))

	told := webtest.Words(webtest.Marked(root, "clash")[0])
	for _, want := range []string{"ada changed this", "Which trade are you in?", "Which line of business is it?"} {
		if !strings.Contains(told, want) {
			t.Errorf("the second editor reads %q, want %q in it", told, want)
		}
	}
	if got := w.Draft(id).Definition.Obligations[1].Prompt; got != "Which trade are you in?" {
		t.Errorf("stored is %q", got)
	}
	mine.Set("over", webtest.Attribute(webtest.Marked(root, "save-over")[0], "value"))
	if got := bob.Do(webtest.Filled(questionAt(id, 2), mine)).StatusCode; got != http.StatusSeeOther || w.Draft(id).Definition.Obligations[1].Prompt != "Which line of business is it?" {
		t.Errorf("saving over it got %d, stored is %q", got, w.Draft(id).Definition.Obligations[1].Prompt)
	}
}

// An edit follows its question to where another person moved it, and edits of two questions
// do not conflict.
func TestEditsOfOtherQuestionsDoNotClash(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	id := w.DraftOf("business_profile")
	fields := fieldsOf(t, w.Shows(http.StatusOK, webtest.Request{Path: questionAt(id, 2)}), "question-form")
	move := url.Values{"n": {"2"}, "to": {"1"}, "key": {"industry"}}
	if got := w.Do(webtest.Filled("/drafts/"+id+"/move", move)).StatusCode; got != http.StatusSeeOther {
		t.Fatalf("moving got %d", got)
	}
	fields.Set("label", "Trade")
	resp := w.Do(webtest.Filled(questionAt(id, 2), fields))

	d := w.Draft(id).Definition
	if resp.StatusCode != http.StatusSeeOther || resp.Header.Get("Location") != questionAt(id, 1) || d.Obligations[0].Label != "Trade" || d.Obligations[1].Key != "business_overview" {
		t.Errorf("answered %d to %s; the first two are %q and %q", resp.StatusCode, resp.Header.Get("Location"), d.Obligations[0].Label, d.Obligations[1].Key)
	}
	if got := w.Do(webtest.Filled("/drafts/"+id+"/move", move)).StatusCode; got != http.StatusConflict {
		t.Errorf("moving what is not there any more got %d, want 409", got)
	}
}

func TestQuestionsAreAddedAndRemoved(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	id := w.DraftOf("business_profile")
	before := len(w.Draft(id).Definition.Obligations)
	resp := w.Do(webtest.Filled("/drafts/"+id+"/q", url.Values{"after": {"2"}}))
	if got := resp.Header.Get("Location"); got != questionAt(id, 3) {
		t.Fatalf("adding leads to %q", got)
	}
	fields := fieldsOf(t, w.Shows(http.StatusOK, webtest.Request{Path: questionAt(id, 3)}), "question-form")
	if fields.Get("category") != "The business" || len(w.Draft(id).Definition.Obligations) != before+1 {
		t.Errorf("the new question is under %q, there are %d", fields.Get("category"), len(w.Draft(id).Definition.Obligations))
	}
	fields.Set("do", "remove")
	w.Do(webtest.Filled(questionAt(id, 3), fields))

	if got := len(w.Draft(id).Definition.Obligations); got != before {
		t.Errorf("%d questions are left of %d", got, before)
	}
}

func TestSourceIsRefusedWithItsPlaceAndKept(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	id := w.DraftOf("business_profile")
	fields := fieldsOf(t, w.Shows(http.StatusOK, webtest.Request{Path: "/drafts/" + id + "/source"}), "source-form")
	for _, tt := range []struct{ name, text, want string }{
		{"no JSON", "{\n  \"contextType\": ,\n}", "Line 2"},
		{"an unknown field", "{\n  \"contextTyp\": \"x\"\n}", "contextTyp"},
		{"a wrong type", "{\n  \"obligations\": 3\n}", "must be a list"},
	} {
		fields.Set("source", tt.text)
		root := w.Shows(http.StatusUnprocessableEntity, webtest.Filled("/drafts/"+id+"/source", fields))
		if got := webtest.Words(webtest.Marked(root, "source-faults")[0]); !strings.Contains(got, tt.want) {
			t.Errorf("%s: the page says %q, want %q in it", tt.name, got, tt.want)
		}
		if got := strings.TrimSpace(webtest.Words(webtest.Marked(root, "source")[0])); !strings.Contains(got, "contextTyp") && tt.name == "an unknown field" {
			t.Errorf("%s: the text is %q, want what was typed", tt.name, got)
		}
	}
	if d := w.Draft(id); d.Revision != 1 {
		t.Errorf("revision %d was stored", d.Revision)
	}
}

func TestDraftIsPublishedWithItsAuthor(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{Tokens: true}).As2("ada")
	id := w.DraftOf("business_profile")
	fields := fieldsOf(t, w.Shows(http.StatusOK, webtest.Request{Path: questionAt(id, 2)}), "question-form")
	fields.Set("prompt", "Which trade are you in?")
	w.Do(webtest.Filled(questionAt(id, 2), fields))
	form := fieldsOf(t, w.Shows(http.StatusOK, webtest.Request{Path: "/drafts/" + id + "/publish"}), "publish-form")
	if got := form.Get("version"); got != "1.8.2" {
		t.Errorf("proposed is %s, want 1.8.2 for another wording", got)
	}
	stale := url.Values{}
	for k, v := range form {
		stale[k] = slices.Clone(v)
	}
	fields = fieldsOf(t, w.Shows(http.StatusOK, webtest.Request{Path: questionAt(id, 2)}), "question-form")
	fields.Set("priority", "3")
	w.Do(webtest.Filled(questionAt(id, 2), fields))
	root := w.Shows(http.StatusConflict, webtest.Filled("/drafts/"+id+"/publish", stale))
	if got := webtest.Words(webtest.Marked(root, "failure")[0]); !strings.Contains(got, "edited this draft") {
		t.Errorf("a stale page says %q", got)
	}

	form = fieldsOf(t, root, "publish-form")
	form.Set("version", "1.8.1")
	root = w.Shows(http.StatusConflict, webtest.Filled("/drafts/"+id+"/publish", form))
	if got := webtest.Words(root); !strings.Contains(got, "is published already") {
		t.Errorf("a version that is there already: %.200q", got)
	}
	form.Set("version", "1.9.0")
	form.Set("note", "Trades <b>first</b>")
	if resp := w.Do(webtest.Filled("/drafts/"+id+"/publish", form)); resp.StatusCode != http.StatusSeeOther {
		t.Fatalf("publishing got %d", resp.StatusCode)
	}

	told := webtest.Words(webtest.Marked(w.Shows(http.StatusOK, webtest.Request{Path: "/objectives/business_profile"}), "releases")[0])
	for _, want := range []string{"ada", "published", "1.9.0", "Trades <b>first</b>"} {
		if !strings.Contains(told, want) {
			t.Errorf("the record says %q, want %q in it", told, want)
		}
	}
	if o, err := w.Server.Library.Active(t.Context(), w.Tenant, "business_profile"); err != nil || o.Version != "1.9.0" || o.Definition.Obligations[1].Prompt != "Which trade are you in?" {
		t.Errorf("active is %s (%v)", o.Version, err)
	}
	webtest.CheckRefusal(t, w, webtest.Refusal{Request: webtest.Request{Path: "/drafts/" + id}, Status: 404, Code: "draft_not_found"})
}

func TestFaultyDraftIsNotPublished(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	id := w.DraftOf("business_profile")
	form := fieldsOf(t, w.Shows(http.StatusOK, webtest.Request{Path: "/drafts/" + id + "/publish"}), "publish-form")
	w.Do(webtest.Filled("/drafts/"+id+"/q", url.Values{}))
	form.Set("revision", "2")

	root := w.Shows(http.StatusUnprocessableEntity, webtest.Filled("/drafts/"+id+"/publish", form))
	if len(webtest.Marked(root, "cannot-publish")) != 1 || len(webtest.Marked(root, "publish-form")) != 0 {
		t.Errorf("the page: %.400q", webtest.Words(root))
	}
	if o, err := w.Server.Library.Active(t.Context(), w.Tenant, "business_profile"); err != nil || o.Version != "1.8.1" {
		t.Errorf("active is %s (%v), want 1.8.1", o.Version, err)
	}
}

func TestAnotherPublisherIsNotOvertaken(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	first, second := w.DraftOf("business_profile"), w.DraftOf("business_profile")
	form := fieldsOf(t, w.Shows(http.StatusOK, webtest.Request{Path: "/drafts/" + second + "/publish"}), "publish-form")
	hers := fieldsOf(t, w.Shows(http.StatusOK, webtest.Request{Path: "/drafts/" + first + "/publish"}), "publish-form")
	w.Do(webtest.Filled("/drafts/"+first+"/publish", hers))
	form.Set("version", "7.0.0")

	root := w.Shows(http.StatusConflict, webtest.Filled("/drafts/"+second+"/publish", form))
	if got := webtest.Words(webtest.Marked(root, "failure")[0]); !strings.Contains(got, "another version of business_profile became active") {
		t.Errorf("the page says %q", got)
	}
}

func TestActivatingAnOlderVersionIsOnRecord(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	id := w.DraftOf("business_profile")
	w.Do(webtest.Filled("/drafts/"+id+"/publish", fieldsOf(t, w.Shows(http.StatusOK, webtest.Request{Path: "/drafts/" + id + "/publish"}), "publish-form")))
	w.Begin("business_profile")
	w.Do(webtest.Filled("/objectives/business_profile/1.8.1/activate", url.Values{"note": {"Too soon"}}))

	told := webtest.Words(webtest.Marked(w.Shows(http.StatusOK, webtest.Request{Path: "/objectives/business_profile"}), "releases")[0])
	if !strings.Contains(told, "went back to") || !strings.Contains(told, "Too soon") {
		t.Errorf("the record says %q", told)
	}
	moves := webtest.Words(webtest.Marked(w.Shows(http.StatusOK, webtest.Request{Path: "/objectives/business_profile/running"}), "moves")[0])
	if !strings.Contains(moves, "kept") || !strings.Contains(moves, "developer") {
		t.Errorf("running interviews: %q", moves)
	}
	webtest.CheckRefusal(t, w, webtest.Refusal{Request: webtest.Request{Path: "/objectives/business_profile/9.9.9"}, Status: 404, Code: "objective_not_found"})
}

func TestDraftsAreBegunFromNothingAndFromFiles(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
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
				root := w.Shows(tt.status, webtest.Filled("/drafts", tt.fields))
				if got := webtest.Words(webtest.Marked(root, "shelf")[0]); !strings.Contains(got, tt.want) {
					t.Errorf("the page says %.300q, want %q in it", got, tt.want)
				}
				return
			}
			resp := w.Do(webtest.Filled("/drafts", tt.fields))
			id := strings.TrimPrefix(resp.Header.Get("Location"), "/drafts/")
			if got := w.Draft(id).Definition.ContextType; resp.StatusCode != tt.status || got != tt.want {
				t.Errorf("answered %d with a draft of %q, want %d of %q", resp.StatusCode, got, tt.status, tt.want)
			}
		})
	}
}

func TestDraftIsTriedAndNothingIsKept(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	w.Server.Objectives.Rehearsals = objectivepages.Rehearsals{
		Personas: func(*objectives.Definition) ([]objectivepages.Persona, error) {
			return []objectivepages.Persona{{Name: "one", About: "Says <i>little</i>."}}, nil
		},
		Rehearse: func(_ context.Context, d *objectives.Definition, name string) (objectivepages.Rehearsal, error) {
			if name != "one" {
				return objectivepages.Rehearsal{}, fault.New(fault.NotFound, "nobody of that name")
			}
			return objectivepages.Rehearsal{Turns: []objectivepages.RehearsalTurn{{N: 1, Reply: d.Obligations[0].Prompt}}, Unasked: []objectivepages.RehearsedKey{{Name: "Industry"}}}, nil
		},
	}
	id := w.DraftOf("business_profile")
	root := w.Shows(http.StatusOK, webtest.Filled("/drafts/"+id+"/try", url.Values{"who": {"one"}}))

	if got := webtest.Words(webtest.Marked(root, "dialogue")[0]); !strings.Contains(got, "what does your business do") {
		t.Errorf("the conversation: %q", got)
	}
	if got := webtest.Words(webtest.Marked(root, "played-never")[0]); !strings.Contains(got, "Industry") {
		t.Errorf("never asked: %q", got)
	}
	w.Shows(http.StatusUnprocessableEntity, webtest.Filled("/drafts/"+id+"/try", url.Values{"who": {"somebody else"}}))
	w.Do(webtest.Filled("/drafts/"+id+"/q", url.Values{}))
	if root := w.Shows(http.StatusUnprocessableEntity, webtest.Filled("/drafts/"+id+"/try", url.Values{"who": {"one"}})); len(webtest.Marked(root, "cannot-try")) != 1 {
		t.Errorf("a draft with faults is tried")
	}
}

// On a phone the form lies far below the list, so the page comes back with the focus where
// the name is missing.
func TestDraftWithoutANameComesBackAtItsName(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	status, _, page := w.Browser().Open("/drafts", url.Values{"from": {"nothing"}, "displayName": {""}})
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}

	var at []string
	for n := range root.Descendants() {
		if slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "autofocus" }) {
			at = append(at, webtest.Attribute(n, "name"))
		}
	}

	if status != http.StatusUnprocessableEntity || len(at) == 0 || at[0] != "displayName" {
		t.Errorf("answered %d, at %q", status, at)
	}
}

func TestTabsOfADraftAreToldApart(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	id := w.DraftOf("business_profile")
	seen := map[string]string{}
	for _, part := range []string{"", "/q/1", "/q/2", "/general", "/graph", "/source", "/try", "/publish"} {
		_, _, page := w.Browser().Open("/drafts/"+id+part, nil)
		_, rest, _ := strings.Cut(page, "<title>")
		title, _, _ := strings.Cut(rest, "</title>")
		if was, ok := seen[title]; ok {
			t.Errorf("%q and %q are both called %q", was, part, title)
		}
		seen[title] = part
	}
}
