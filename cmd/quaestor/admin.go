package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"

	"quaestor/internal/embedding"
	"quaestor/internal/fault"
	"quaestor/internal/llm"
	"quaestor/internal/secret"
	"quaestor/migrations"
	"quaestor/research/search"
	"quaestor/web"
	"quaestor/web/admin"
)

// setup describes how the server is set up, for the pages of those who manage it: the
// settings, and each part with its state, a test of it, and the remedy when that fails.
func setup(s *Settings, d *database, w *workerParts) (admin.Setup, error) {
	engines, errEngines := s.engines()
	model, errModel := modelPart(s)
	encoder, errEncoder := encoderPart(s)
	if err := cmp.Or(errEngines, errModel, errEncoder); err != nil {
		return admin.Setup{}, err
	}
	// The order is that of the page: what every interview uses first, then research.
	parts := []admin.Part{model, encoder, speechPart(s)}
	for _, e := range engines {
		p := enginePart(e, e.Name(), "Search engine "+e.Name(), "It is asked over the network, with the key below where it needs one.")
		p.Use, p.Set = "Searches the web for research.", set(s, engineSettings[e.Name()]...)
		parts = append(parts, p)
	}
	if len(engines) == 0 {
		parts = append(parts, admin.Part{Name: "web", Title: "Search engine of the web", State: "Set QUAESTOR_SEARXNG_URL, QUAESTOR_BRAVE_KEY or QUAESTOR_TAVILY_KEY, and start the server again.", Use: "Searches the web for research; without one only your documents are searched."})
	}
	folder := s.documentsDir()
	if folder == "" {
		parts = append(parts, admin.Part{Name: "documents", Title: "Documents", State: "Set QUAESTOR_DOCUMENTS_DIR, and start the server again.", Use: "Your own files, which research reads."})
	} else {
		p := enginePart(w.research.documents.Engine(), "documents", "Documents", "Folder "+folder)
		p.Use, p.Set = "Your own files, which research reads.", set(s, "QUAESTOR_DOCUMENTS_DIR")
		parts = append(parts, p)
	}
	return admin.Setup{Settings: inForce(s), Parts: parts, Defaults: s.defaults(), Regular: regular(), Vitals: vitals(s, w), Pending: func(ctx context.Context) (int, error) { return migrations.Pending(ctx, d.url) }}, nil
}

// inForce lists the settings in the order of [Settings], with secrets masked.
func inForce(s *Settings) []admin.Setting {
	return web.Map(s.options(), func(o option) admin.Setting {
		return admin.Setting{Variable: o.variable, Value: shownValue(o.value), Help: o.help}
	})
}

// engineSettings are the variables that configure each search engine.
var engineSettings = map[string][]string{"searxng": {"QUAESTOR_SEARXNG_URL"}, "brave": {"QUAESTOR_BRAVE_KEY", "QUAESTOR_BRAVE_URL"}, "tavily": {"QUAESTOR_TAVILY_KEY", "QUAESTOR_TAVILY_URL"}}

// set returns the settings of those variables, with secrets masked.
func set(s *Settings, variables ...string) []admin.Setting {
	return slices.DeleteFunc(inForce(s), func(x admin.Setting) bool { return !slices.Contains(variables, x.Variable) })
}

// shownValue returns a setting as it may be shown. A secret prints itself as ***, and
// the password in an address is hidden likewise.
func shownValue(v any) string {
	text := fmt.Sprint(v)
	if hidden, ok := v.(secret.Secret); text == "" || text == "[]" || ok && hidden.IsZero() {
		return "(not set)"
	}
	if u, err := url.Parse(text); err == nil && u.User != nil {
		return u.Redacted()
	}
	return text
}

// modelPart describes the model that interviews. Its test is one question with a
// short answer.
func modelPart(s *Settings) (admin.Part, error) {
	p := admin.Part{Name: "model", Title: "Model that interviews", State: "The built-in rules interview. To use a model set QUAESTOR_MODEL, and start the server again.", Use: "Understands what is said and answers; plans and reads for research.",
		Set: set(s, "QUAESTOR_MODEL", "OPENAI_BASE_URL", "OPENAI_API_KEY", "QUAESTOR_PROMPT_PRICE", "QUAESTOR_REPLY_PRICE"), Remedy: modelRemedy("QUAESTOR_MODEL", "OPENAI_BASE_URL", "OPENAI_API_KEY")}
	client, err := newClient(s)
	if err != nil || client == nil {
		return p, err
	}
	p.On, p.State = true, s.Model+" at "+shownValue(s.ModelURL)
	p.Try = func(ctx context.Context, _ string) (string, error) {
		reply, err := client.Stream(ctx, llm.Request{Purpose: "test", Messages: []llm.Message{{Role: "user", Content: "Answer with the word ready."}}, MaxTokens: 256}, func(string) error { return nil })
		if err != nil {
			return "", plainly(err)
		}
		return fmt.Sprintf("The model answers, %d tokens in all.", reply.Usage.PromptTokens+reply.Usage.CompletionTokens), nil
	}
	return p, nil
}

// plainly returns a fault with the class of a model's failure, which helps the operator
// more than the sentence that people in an interview get. It repeats nothing of the
// provider's answer.
func plainly(err error) error {
	var e *llm.Error
	if errors.As(err, &e) {
		return fault.New(fault.Unavailable, "%s", e.Error()).Because(err)
	}
	return err
}

// encoderPart describes the text encoder. Its test encodes three words with a new
// encoder, so that the weights are read again and files that were lost are noticed.
func encoderPart(s *Settings) (admin.Part, error) {
	p := admin.Part{Name: "encoder", Title: "Text encoder", State: "Search goes by words. Run make provision, or set QUAESTOR_EMBEDDING_MODEL, and start the server again.", Use: "Finds what means the same, in interviews and in documents.",
		Set:    set(s, "QUAESTOR_EMBEDDING_MODEL", "QUAESTOR_EMBEDDING_URL", "QUAESTOR_EMBEDDING_KEY", "QUAESTOR_EMBEDDING_DIMENSION"),
		Remedy: modelRemedy("QUAESTOR_EMBEDDING_MODEL", "QUAESTOR_EMBEDDING_URL", "QUAESTOR_EMBEDDING_KEY")}
	encoder, err := newEncoder(s)
	if err != nil || encoder == nil {
		return p, err
	}
	p.On, p.State, p.Try = true, embedding.LiteName+", in this process", tryEncoder(s)
	if s.EmbeddingModel != "" {
		p.State = s.EmbeddingModel + " at " + shownValue(cmp.Or(s.EmbeddingURL, s.ModelURL))
	}
	return p, nil
}

// tryEncoder returns the test of the text encoder.
func tryEncoder(s *Settings) func(context.Context, string) (string, error) {
	return func(ctx context.Context, _ string) (string, error) {
		encoder, err := newEncoder(s)
		if err != nil {
			return "", err
		}
		if encoder == nil {
			return "", fault.New(fault.Unavailable, "the encoder's weights are gone")
		}
		vectors, err := encoder.Encode(ctx, []string{"a small test"})
		if err != nil {
			return "", plainly(err)
		}
		if len(vectors) != 1 || len(vectors[0]) == 0 {
			return "", fault.New(fault.Unavailable, "the encoder gives no vector")
		}
		return fmt.Sprintf("The encoder answers with %d numbers.", len(vectors[0])), nil
	}
}

// enginePart describes a search engine. Its test is one search for one hit; finding
// nothing is no failure.
func enginePart(e search.Engine, name, title, state string) admin.Part {
	return admin.Part{Name: name, Title: title, State: state, On: true, Remedy: engineRemedy, Try: func(ctx context.Context, tenant string) (string, error) {
		hits, err := e.Search(ctx, search.Query{Tenant: tenant, Words: "test", Max: 1})
		if err != nil {
			return "", err
		}
		if len(hits) == 0 {
			return "It answers, and finds nothing for the word test.", nil
		}
		return "It answers, with a hit for the word test.", nil
	}}
}
