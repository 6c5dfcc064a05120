package data

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"quaestor/internal/fault"
	"quaestor/obligations"
	"quaestor/research/warehouse/packs"
	"quaestor/research/warehouse/projects"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
	"quaestor/web"
	"quaestor/web/ui"
)

// The profile of a project can be told in an interview: the fields of its pack's form are the
// objective, and the answers become the profile, which steers what runs explore.

// interviewBody is the interview that fills a profile.
type interviewBody struct {
	SessionID string `json:"sessionId"`
	Path      string `json:"path" doc:"of its page"`
}

// profileContext returns the context type of the objective for a pack's form.
func profileContext(p projects.Project) string {
	name := "profile_" + p.Pack.Slug
	if p.Category != "" {
		name += "_" + p.Category
	}
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, strings.ToLower(name))
}

// askable returns the part of a form's schema that people can be asked for: its fields but those
// that are typed as JSON, in their order. It is nil if there are none.
func askable(form *packs.ProfileForm, title string) ([]byte, error) {
	names, fields, err := formFields(form)
	if err != nil || len(names) == 0 {
		return nil, err
	}
	var schema struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if err := json.Unmarshal(form.Schema(), &schema); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	for _, name := range names {
		if fields[name].kind() == JSONField {
			continue
		}
		key, _ := json.Marshal(name) // a string
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		b.Write(key)
		b.WriteByte(':')
		part := schema.Properties[name]
		if fields[name].kind() == ListField { // told in a sentence, and divided when it is taken over
			if part, err = asText(part, fields[name].Title); err != nil {
				return nil, err
			}
		}
		b.Write(part)
	}
	if b.Len() == 0 {
		return nil, nil
	}
	head, err := json.Marshal(title)
	return []byte(`{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","title":` + string(head) + `,"properties":{` + b.String() + `}}`), err
}

// asText returns the schema of a list as that of a text, which is asked for in the same words.
func asText(list json.RawMessage, title string) (json.RawMessage, error) {
	out, had := map[string]any{"type": "string", "title": title, "maxLength": maxTold}, map[string]any{}
	if err := json.Unmarshal(list, &had); err != nil {
		return nil, err
	}
	for _, name := range []string{"x-prompt", "x-cues", "x-priority", "description"} {
		if v, there := had[name]; there {
			out[name] = v
		}
	}
	return json.Marshal(out)
}

// maxTold bounds an answer that is a list, in characters.
const maxTold = 2000

// divisions part a list that was told in a sentence.
var divisions = regexp.MustCompile(`\s*[\n;]+\s*`)

// commas part a list whose parts are short.
var commas = regexp.MustCompile(`\s*,\s*(?:and |und )?|\s+(?:and|und)\s+`)

// shortPart is how long a part of a list is at most that was told with commas, in bytes. What is
// longer is a sentence that has commas.
const shortPart = 60

// divided returns the parts of a list that was told in a sentence.
func divided(text string) []string {
	list := ui.NonBlank(divisions.Split(strings.TrimSpace(text), -1))
	if len(list) != 1 {
		return list
	}
	parts := ui.NonBlank(commas.Split(list[0], -1))
	dated := 0
	for _, p := range parts {
		if len(p) > shortPart {
			return list
		}
		if yearNamed.MatchString(p) {
			dated++
		}
	}
	if dated > 0 && dated < len(parts) || dated == 0 && slices.ContainsFunc(parts, func(p string) bool { return len(strings.Fields(p)) > mostWords }) {
		return list
	}
	return parts
}

// yearNamed matches a year. What happened in one is told in a sentence of its own, whose commas part nothing: "In the
// West, a competitor opened on 14 September 2026".
var yearNamed = regexp.MustCompile(`\b(?:19|20)\d\d\b`)

// mostWords is how many words a part has at most that is no sentence.
const mostWords = 7

// beginInterview begins the interview that fills a project's profile, or returns the one that was
// begun before and is still there.
func (s *Handlers) beginInterview(ctx context.Context, id string) (interviewBody, error) {
	a := web.ActorFrom(ctx)
	p, err := s.Projects.Find(ctx, a.Tenant, id)
	if err != nil {
		return interviewBody{}, err
	}
	if p.Interview != "" {
		if found, err := s.Session(ctx, p.Interview); err == nil && found.Status == sessions.Active {
			return interviewBody{p.Interview, "/s/" + p.Interview}, nil
		}
	}
	about := profileContext(p)
	if err := s.publishProfile(ctx, p, about); err != nil {
		return interviewBody{}, err
	}
	session, err := s.Begin(ctx, a.Tenant, a.User, about)
	if err != nil {
		return interviewBody{}, err
	}
	_, err = s.Projects.SetInterview(ctx, a.Tenant, id, a.User, session)
	return interviewBody{session, "/s/" + session}, err
}

// profileVersion returns the version of the objective for a form: that of the pack, with the content of the form in its
// last number, since the questions of a pack that comes with the server may be put better while its version stays.
func profileVersion(pack string, schema []byte) string {
	parts := strings.Split(pack, ".")
	last, err := strconv.Atoi(parts[len(parts)-1])
	if len(parts) != 3 || err != nil || last > maxPatch {
		return pack
	}
	return fmt.Sprintf("%s.%s.%d", parts[0], parts[1], last*formsPerPatch+int(crc32.ChecksumIEEE(schema)%formsPerPatch))
}

// Bounds of the last number of such a version.
const (
	formsPerPatch = 100_000
	maxPatch      = 10_000
)

// publishProfile publishes the objective of a pack's form. One that is there in this version stays.
func (s *Handlers) publishProfile(ctx context.Context, p projects.Project, about string) error {
	tenant := web.ActorFrom(ctx).Tenant
	pack, err := s.Projects.Pack(ctx, tenant, p.Pack)
	if err != nil {
		return err
	}
	kit, err := p.Kit(pack)
	if err != nil {
		return err
	}
	schema, err := askable(kit.Form, "What is explored: "+pack.Name)
	if err != nil {
		return err
	}
	if schema == nil {
		return fault.New(fault.Unprocessable, "the pack %s asks nothing about your data that an interview could ask", pack.Name).Coded("no_profile")
	}
	d, _, err := objectives.FromSchema(schema, objectives.SchemaOptions{ContextType: about, Version: profileVersion(p.Pack.Version, schema)})
	if err != nil {
		return err
	}
	_, err = s.Library.Publish(ctx, tenant, obligations.TenantLayer, d)
	if fault.Is(err, fault.Conflict) { // it was published before
		return nil
	}
	return err
}

// takeAnswers makes what the interview of a project found out its profile. Fields that the interview
// does not know stay as they are.
func (s *Handlers) takeAnswers(ctx context.Context, id string) (projects.Project, error) {
	a := web.ActorFrom(ctx)
	p, err := s.Projects.Find(ctx, a.Tenant, id)
	if err != nil {
		return p, err
	}
	if p.Interview == "" {
		return p, fault.New(fault.Conflict, "no interview about this project was begun").Coded("no_interview")
	}
	session, err := s.Session(ctx, p.Interview)
	if err != nil {
		return p, err
	}
	d, list, err := s.Known(ctx, session)
	if err != nil {
		return p, err
	}
	told, err := objectives.Instance(d, list)
	if err != nil {
		return p, err
	}
	pack, err := s.Projects.Pack(ctx, a.Tenant, p.Pack)
	if err != nil {
		return p, err
	}
	kit, err := p.Kit(pack)
	if err != nil {
		return p, err
	}
	spec := p.Spec
	if spec.Profile, err = merged(kit.Form, p.Profile, told); err != nil {
		return p, err
	}
	return s.Projects.Update(ctx, a.Tenant, id, a.User, p.Version, spec)
}

// merged returns a profile with what was told over its own fields.
func merged(form *packs.ProfileForm, profile, over []byte) (json.RawMessage, error) {
	_, kinds, err := formFields(form)
	if err != nil {
		return nil, err
	}
	fields, more := map[string]json.RawMessage{}, map[string]json.RawMessage{}
	if len(profile) > 0 {
		if err := json.Unmarshal(profile, &fields); err != nil {
			return nil, err
		}
	}
	if err := json.Unmarshal(over, &more); err != nil {
		return nil, err
	}
	for name, v := range more {
		var text string
		if kinds[name].kind() == ListField && json.Unmarshal(v, &text) == nil {
			if v, err = json.Marshal(divided(text)); err != nil {
				return nil, err
			}
		}
		fields[name] = v
	}
	return json.Marshal(fields)
}

// createInterview is beginInterview for programs.
func (s *Handlers) createInterview(ctx context.Context, in *projectID) (interviewBody, error) {
	return s.beginInterview(ctx, in.ID)
}

// fillProfile is takeAnswers for programs.
func (s *Handlers) fillProfile(ctx context.Context, in *projectID) (ProjectBody, error) {
	p, err := s.takeAnswers(ctx, in.ID)
	if err != nil {
		return ProjectBody{}, err
	}
	return toProjectBody(p), nil
}

// submitInterview begins the interview and leads to it.
func (s *Handlers) submitInterview(w http.ResponseWriter, r *http.Request) error {
	made, err := s.beginInterview(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	return web.EndForm(w, r, made.Path)
}

// submitAnswers takes the answers and leads back to the project.
func (s *Handlers) submitAnswers(w http.ResponseWriter, r *http.Request) error {
	p, err := s.takeAnswers(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	return web.EndForm(w, r, "/data/projects/"+p.ID+"?done=filled")
}
