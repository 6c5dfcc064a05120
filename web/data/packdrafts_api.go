package data

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"quaestor/internal/auth"
	"quaestor/research/warehouse/packdrafts"
	"quaestor/research/warehouse/packs"
	"quaestor/web"
)

// draftOperations registers the making of packs.
func (s *Handlers) draftOperations(a huma.API) {
	const all, one = "/api/v1/pack-drafts", "/api/v1/pack-drafts/{id}"
	const section = one + "/sections/{key}"
	web.Add(a, web.Get(all, "pack-draft-list", "Packs that are being made, the latest first").Needing(auth.Manage), s.listDrafts)
	op := web.Post(all, "pack-draft-create", "Have a pack drafted from pages, files and notes, and a slice of a warehouse").Answering(http.StatusAccepted).Needing(auth.Manage)
	web.Add(a, op, s.createDraft)
	web.Add(a, web.Get(one, "pack-draft-get", "A draft with its sources and sections, and what keeps each section from being accepted").Needing(auth.Manage), s.getDraft)
	web.Add(a, web.Put(section, "pack-draft-section-put", "Change a section, and accept it").Needing(auth.Manage), s.putSection)
	web.Add(a, web.Post(section+"/again", "pack-draft-section-again", "Have a section drafted again, with feedback").Answering(http.StatusAccepted).Needing(auth.Manage), s.againSection)
	web.Add(a, web.Post(one+"/accept", "pack-draft-accept", "Make a draft whose sections are all accepted the next version of its pack").Needing(auth.Manage), s.acceptDraftOperation)
	web.AddEmpty(a, web.Delete(one, "pack-draft-delete", "Delete a draft; versions that it became stay").Needing(auth.Manage), s.deleteDraft)
}

// packDraftBody is a draft on the wire.
type packDraftBody struct {
	ID          string            `json:"id"`
	Name        string            `json:"name"`
	Slug        string            `json:"slug" doc:"of the pack"`
	WarehouseID string            `json:"warehouseId"`
	Slice       []string          `json:"slice" nullable:"false" doc:"schemas and qualified tables; none for all"`
	State       string            `json:"state" enum:"drafting,open,failed,accepted"`
	Failure     string            `json:"failure,omitempty"`
	Version     string            `json:"version,omitempty" doc:"that it was accepted as"`
	CreatedBy   string            `json:"createdBy,omitempty"`
	CreatedAt   time.Time         `json:"createdAt"`
	Sources     []draftSourceBody `json:"sources,omitempty"`
	Sections    []sectionBody     `json:"sections,omitempty"`
}

// draftSourceBody is what a draft is made of.
type draftSourceBody struct {
	Kind  string `json:"kind" enum:"url,file,notes"`
	Name  string `json:"name"`
	State string `json:"state" enum:"waiting,read,failed"`
	Why   string `json:"why,omitempty" doc:"why it could not be read"`
}

// sectionBody is a section of a draft.
type sectionBody struct {
	Key      string             `json:"key" doc:"about, context, exploration, recommendations, profile, or area. and its id"`
	Title    string             `json:"title"`
	State    string             `json:"state" enum:"waiting,drafted,accepted"`
	By       string             `json:"by,omitempty" doc:"model and its name, rules, or person"`
	Feedback string             `json:"feedback,omitempty"`
	Version  int                `json:"version" doc:"counts the changes"`
	Content  packdrafts.Content `json:"content"`
	Faults   []packs.Fault      `json:"faults" nullable:"false" doc:"what keeps it from being accepted"`
}

func toDraftBody(d packdrafts.Draft) packDraftBody {
	return packDraftBody{d.ID, d.Name, d.Slug, d.Warehouse, append([]string{}, d.Slice...), string(d.State), d.Failure, d.Version, d.CreatedBy, d.CreatedAt,
		web.Map(d.Sources, func(s packdrafts.Source) draftSourceBody {
			return draftSourceBody{string(s.Kind), s.Name, s.State, s.Why}
		}),
		web.Map(d.Sections, toSectionBody)}
}

func toSectionBody(s packdrafts.Section) sectionBody {
	out := sectionBody{s.Key, s.Title(), string(s.State), s.By, s.Feedback, s.Version, s.Content, []packs.Fault{}}
	if s.State != packdrafts.Waiting {
		out.Faults = append(out.Faults, s.Faults()...)
	}
	return out
}

type draftID struct {
	ID string `path:"id" doc:"id of the draft"`
}

type newPackDraft struct {
	Body struct {
		Name        string   `json:"name" minLength:"1" maxLength:"200" pattern:"^[^\\x00]*$"`
		WarehouseID string   `json:"warehouseId"`
		Slice       []string `json:"slice,omitempty" maxItems:"200" doc:"schemas and qualified tables; none for all"`
		URLs        []string `json:"urls,omitempty" maxItems:"20"`
		Notes       string   `json:"notes,omitempty" maxLength:"100000" pattern:"^[^\\x00]*$"`
		Files       []struct {
			Name    string `json:"name" maxLength:"500"`
			Content []byte `json:"content" doc:"in base64; TXT, MD, CSV, DOCX or PDF"`
		} `json:"files,omitempty" maxItems:"20"`
	}
}

type sectionChange struct {
	ID   string `path:"id" doc:"id of the draft"`
	Key  string `path:"key" doc:"of the section"`
	Body struct {
		Version int                `json:"version" doc:"that was read"`
		Content packdrafts.Content `json:"content"`
		Accept  bool               `json:"accept,omitempty" doc:"refused while the section has faults"`
	}
}

type sectionAgain struct {
	ID   string `path:"id" doc:"id of the draft"`
	Key  string `path:"key" doc:"of the section"`
	Body struct {
		Version  int    `json:"version" doc:"that was read"`
		Feedback string `json:"feedback,omitempty" maxLength:"2000" pattern:"^[^\\x00]*$" doc:"what to change; rules cannot follow it"`
	}
}

func (s *Handlers) listDrafts(ctx context.Context, _ *struct{}) (web.Page[packDraftBody], error) {
	list, err := s.Drafts.List(ctx, web.ActorFrom(ctx).Tenant)
	return web.Page[packDraftBody]{Items: web.Map(list, toDraftBody)}, err
}

func (s *Handlers) createDraft(ctx context.Context, in *newPackDraft) (packDraftBody, error) {
	a, b := web.ActorFrom(ctx), in.Body
	d := packdrafts.Spec{Name: b.Name, Warehouse: b.WarehouseID, Slice: b.Slice}
	for _, u := range b.URLs {
		d.Sources = append(d.Sources, packdrafts.Source{Kind: packdrafts.FromURL, Name: u})
	}
	if b.Notes != "" {
		d.Sources = append(d.Sources, packdrafts.Source{Kind: packdrafts.Notes, Name: "Notes", Text: b.Notes})
	}
	if err := fewFiles(len(b.Files)); err != nil {
		return packDraftBody{}, err
	}
	for _, f := range b.Files {
		one, err := s.readSource(ctx, f.Name, "", f.Content)
		if err != nil {
			return packDraftBody{}, err
		}
		d.Sources = append(d.Sources, one)
	}
	made, err := s.Drafts.Create(ctx, s.Queue, a.Tenant, a.User, d)
	return toDraftBody(made), err
}

func (s *Handlers) getDraft(ctx context.Context, in *draftID) (packDraftBody, error) {
	d, err := s.Drafts.Find(ctx, web.ActorFrom(ctx).Tenant, in.ID)
	return toDraftBody(d), err
}

// section returns a section as it is now.
func (s *Handlers) section(ctx context.Context, id, key string) (sectionBody, error) {
	d, err := s.Drafts.Find(ctx, web.ActorFrom(ctx).Tenant, id)
	for _, one := range d.Sections {
		if one.Key == key {
			return toSectionBody(one), nil
		}
	}
	return sectionBody{}, err
}

func (s *Handlers) putSection(ctx context.Context, in *sectionChange) (sectionBody, error) {
	if err := s.Drafts.Save(ctx, web.ActorFrom(ctx).Tenant, in.ID, in.Key, in.Body.Version, in.Body.Content, in.Body.Accept); err != nil {
		return sectionBody{}, err
	}
	return s.section(ctx, in.ID, in.Key)
}

func (s *Handlers) againSection(ctx context.Context, in *sectionAgain) (sectionBody, error) {
	if err := s.Drafts.Again(ctx, s.Queue, web.ActorFrom(ctx).Tenant, in.ID, in.Key, in.Body.Version, in.Body.Feedback); err != nil {
		return sectionBody{}, err
	}
	return s.section(ctx, in.ID, in.Key)
}

func (s *Handlers) acceptDraftOperation(ctx context.Context, in *draftID) (packDraftBody, error) {
	if _, err := s.acceptDraft(ctx, in.ID); err != nil {
		return packDraftBody{}, err
	}
	return s.getDraft(ctx, in)
}

func (s *Handlers) deleteDraft(ctx context.Context, in *draftID) error {
	return s.Drafts.Delete(ctx, web.ActorFrom(ctx).Tenant, in.ID)
}
