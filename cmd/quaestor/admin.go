package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"syscall"
	"time"

	"quaestor/chat"
	"quaestor/chat/model"
	"quaestor/internal/embedding"
	"quaestor/internal/fault"
	"quaestor/internal/language"
	"quaestor/internal/llm"
	"quaestor/internal/secret"
	"quaestor/internal/speech"
	"quaestor/migrations"
	"quaestor/research"
	"quaestor/research/search"
	"quaestor/research/warehouse/runs"
	"quaestor/sessions/settings"
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

// newVoice returns speech as the settings have it.
func newVoice(s *Settings) *speech.Voice {
	return speech.New(speech.Options{URL: s.SpeechURL, Key: s.SpeechKey, Speaker: s.SpeechModel, Hearer: s.HearingModel, Name: s.SpeechVoice})
}

// phrase is what the test of speech says and hears back: short, and of common words
// that any model of speech knows.
const phrase = "Good morning. One question at a time."

// speechPart describes speech. Its test says a phrase aloud and hears it back, where
// something can hear.
func speechPart(s *Settings) admin.Part {
	v := newVoice(s)
	p := admin.Part{Name: "speech", Title: "Speech", Use: "Interviews are spoken with it, by those who like; what is said stands in writing too.",
		Set: set(s, "QUAESTOR_SPEECH_URL", "QUAESTOR_SPEECH_KEY", "QUAESTOR_SPEECH_MODEL", "QUAESTOR_SPEECH_VOICE", "QUAESTOR_HEARING_MODEL"), Remedy: speechRemedy}
	switch speaks, hears := v.Speaks(), v.Hears(); {
	case s.SpeechURL != "":
		p.On, p.State = true, s.SpeechModel+" speaks and "+s.HearingModel+" hears, at "+shownValue(s.SpeechURL)
	case speaks == "" && hears == "":
		p.State = "The browser's own voice is all there is. Install flite and pocketsphinx, or set QUAESTOR_SPEECH_URL, and start the server again."
	default:
		p.On, p.State = true, "On this machine: "+able(speaks, "speaks")+", "+able(hears, "hears")
	}
	if v.Speaks() != "" {
		p.Try = func(ctx context.Context, _ string) (string, error) { return tryVoice(ctx, v) }
	}
	return p
}

// able returns "NAME does", or "nothing does" when there is no name.
func able(name, does string) string {
	return cmp.Or(name, "nothing") + " " + does
}

// tryVoice says the phrase and hears it back. It reports what was heard and leaves the
// comparison to the reader: small models of speech mishear a word now and then.
func tryVoice(ctx context.Context, v *speech.Voice) (string, error) {
	began := time.Now()
	wav, err := v.Speak(ctx, phrase)
	if err != nil {
		return "", err
	}
	spoke := fmt.Sprintf("It said “%s” in %.2f s (%d kB).", phrase, time.Since(began).Seconds(), len(wav)>>10)
	if v.Hears() == "" {
		return spoke + " Nothing is there that hears it back.", nil
	}
	began = time.Now()
	heard, err := v.Hear(ctx, wav)
	if err != nil {
		return "", err
	}
	if heard == "" {
		return spoke + " Nothing was heard in it.", nil
	}
	return fmt.Sprintf("%s It heard “%s” in %.2f s.", spoke, language.Clip(heard, maxHeard), time.Since(began).Seconds()), nil
}

// maxHeard is how many characters fit a line of the page.
const maxHeard = 200

// modelRemedy returns what finds the remedy for a failure of a model. name, address
// and key are the variables that configure the model.
func modelRemedy(name, address, key string) func(error) string {
	return func(err error) string {
		var e *llm.Error
		if !errors.As(err, &e) {
			return "See the log of the server."
		}
		switch e.Class {
		case llm.Refused:
			return "Check the key in " + key + ", the name in " + name + " and the address in " + address + "; then start the server again."
		case llm.Limited:
			return "The provider takes no more for now: wait, or raise the limit there."
		case llm.Timeout, llm.Upstream:
			return "Look whether the provider is up; if it is only slow, a smaller model helps."
		case llm.Broken:
			return "Check the address in " + address + ", and whether this machine reaches it."
		case llm.NotJSON, llm.Empty, llm.BadJSON, llm.Truncated, llm.TooLarge:
			return "What answers at " + address + " is no OpenAI-compatible API, or the model in " + name + " is no chat model."
		case llm.Canceled:
			return "Try it again."
		}
		return "See the log of the server."
	}
}

// engineRemedy returns the remedy for a failure of a search engine.
func engineRemedy(err error) string {
	var e *search.Error
	if !errors.As(err, &e) {
		return "See the log of the server."
	}
	switch e.Kind {
	case search.RateLimited, search.Quota:
		return "Wait, or raise the plan at the provider."
	case search.Unauthorized:
		return "Check the key, then start the server again."
	}
	return "Check the address, and whether this machine reaches it."
}

// codeOfFault returns the code of a fault, or an empty string for other errors.
func codeOfFault(err error) string {
	var f *fault.Error
	if errors.As(err, &f) {
		return f.Code
	}
	return ""
}

// speechRemedy returns the remedy for a failure of speech, by the codes that package
// speech gives its faults.
func speechRemedy(err error) string {
	switch codeOfFault(err) {
	case "speech_key":
		return "Check the key in QUAESTOR_SPEECH_KEY, then start the server again."
	case "speech_model":
		return "Check QUAESTOR_SPEECH_URL, QUAESTOR_SPEECH_MODEL and QUAESTOR_HEARING_MODEL, then start the server again."
	case "speech_unreachable", "speech_timeout":
		return "Check QUAESTOR_SPEECH_URL, and whether this machine reaches it."
	case "speech_program":
		return "Run flite or pocketsphinx by hand, as the user of the server, to see what they say."
	}
	return "See the log of the server."
}

// regular lists the periodic jobs with their periods, for the page that shows when each
// ran last. The periods are those that the packages of the jobs schedule them with.
func regular() []admin.PeriodicJob {
	return []admin.PeriodicJob{{Kind: research.FoldersArgs{}.Kind(), Every: 30 * time.Second}, {Kind: chat.ReassessArgs{}.Kind(), Every: 5 * time.Minute},
		{Kind: settings.SweepArgs{}.Kind(), Every: time.Hour}, {Kind: model.PruneArgs{}.Kind(), Every: time.Hour}, {Kind: runs.ScheduleArgs{}.Kind(), Every: runs.ScheduleEvery}}
}

// lowDisk is the share of a disk, in hundredths, below which the page warns. A full
// disk stops PostgreSQL, and a tenth leaves time to act.
const lowDisk = 10

// vitals returns what reports the free space of the disk, and whether calls of the
// model went unrecorded.
func vitals(s *Settings, w *workerParts) func(context.Context) []admin.Dependency {
	return func(context.Context) []admin.Dependency {
		var out []admin.Dependency
		if s.DataDir != "" {
			out = append(out, diskVital(s.DataDir))
		}
		if w.calls != nil {
			n := w.calls.Dropped()
			out = append(out, admin.Dependency{Name: "Log of model calls", Well: n == 0, Words: fmt.Sprintf("%d calls were not kept since this server started", n)})
		}
		return out
	}
}

// diskVital reports how much of the disk that a folder is on is free.
func diskVital(dir string) admin.Dependency {
	var f syscall.Statfs_t
	if err := syscall.Statfs(dir, &f); err != nil || f.Blocks == 0 {
		return admin.Dependency{Name: "Disk", Well: true, Words: "not measured: there is no data folder yet"}
	}
	free, all := f.Bavail*uint64(f.Bsize), f.Blocks*uint64(f.Bsize)
	return admin.Dependency{Name: "Disk", Well: free*100 >= all*lowDisk, Words: fmt.Sprintf("%.1f of %.1f GB free where the data folder is", float64(free)/(1<<30), float64(all)/(1<<30))}
}
