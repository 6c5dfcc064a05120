package chat

import "context"

// Models are the interviewers with a language model that an organisation uses. The two are
// the same when one model does both. The zero value leaves everything to the rules.
type Models struct {
	Reading Interviewer // reads messages and sums up transcripts; nil leaves that to the rules
	Talking Interviewer // words replies; nil leaves that to the rules
}

// modelsOf returns the models that a tenant uses now.
func (e *Engine) modelsOf(ctx context.Context, tenant string) Models {
	if e.Models != nil {
		return e.Models(ctx, tenant)
	}
	return Models{e.Model, e.Model}
}

// InterviewerOf returns the name of who words replies for a tenant: its model if there is
// one, else the rules.
func (e *Engine) InterviewerOf(ctx context.Context, tenant string) string {
	if m := e.modelsOf(ctx, tenant); m.Talking != nil {
		return m.Talking.Name()
	}
	return e.Rules.Name()
}

// converser returns the interviewer that can read a message in the call that replies; nil
// when there is none, as when one model reads and another talks.
func (m Models) converser() Converser {
	c, can := m.Talking.(Converser)
	if !can || m.Reading != m.Talking {
		return nil
	}
	return c
}

// summarizer returns what sums up transcripts for a tenant; nil for extracts.
func (o FoldOptions) summarizer(ctx context.Context, tenant string) Summarizer {
	if o.Models == nil {
		return o.Model
	}
	s, _ := o.Models(ctx, tenant).Reading.(Summarizer) // nil without a model
	return s
}
