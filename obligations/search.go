package obligations

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"quaestor/internal/postgres"
	"quaestor/obligations/internal/dbsqlc"
)

// Unencoded returns the keys of at most `most` of a session's obligations whose question
// has no vector of the encoder, in their order.
func Unencoded(ctx context.Context, db postgres.DB, s Scope, encoder string, most int) ([]string, error) {
	out, err := postgres.List(ctx, db, s.Tenant, queries.QuestionsUnencoded, &dbsqlc.QuestionsUnencodedParams{TenantID: s.Tenant, SessionID: s.Session, Encoder: encoder, Max: int32(most)}, func(key string) (string, error) {
		return key, nil
	})
	if err != nil {
		return nil, fmt.Errorf("look for questions of session %s to encode: %w", s.Session, err)
	}
	return out, nil
}

// SaveVectors stores the encoder's vectors of questions by key. A vector may have at most
// 1536 values and is padded with zeros; an empty one marks a question without words.
func SaveVectors(ctx context.Context, db postgres.DB, s Scope, encoder string, vectors map[string][]float32) error {
	type row struct {
		Key       string  `json:"obligation_key"`
		Embedding *string `json:"embedding"`
	}
	rows := make([]row, 0, len(vectors))
	for key, v := range vectors {
		rows = append(rows, row{key, postgres.OrNull(VectorText(v))})
	}
	body, err := json.Marshal(rows)
	if err != nil {
		return fmt.Errorf("encode vectors of session %s: %w", s.Session, err)
	}
	b := postgres.NewBatch(s.Tenant)
	_ = queries.QuestionVectorsSave(ctx, b, &dbsqlc.QuestionVectorsSaveParams{TenantID: s.Tenant, SessionID: s.Session, Encoder: encoder, Rows: body})
	if err := b.Send(ctx, db); err != nil {
		return fmt.Errorf("save vectors of session %s: %w", s.Session, err)
	}
	return nil
}

// storedNumbers is the length of a stored vector, as the column declares it.
const storedNumbers = 1536

// VectorText returns a vector in pgvector's text format: 1536 numbers, padded with zeros;
// empty for an empty vector.
func VectorText(v []float32) string {
	if len(v) == 0 {
		return ""
	}
	out := []byte{'['}
	for i := range storedNumbers {
		x := float32(0)
		if i < len(v) {
			x = v[i]
		}
		if i > 0 {
			out = append(out, ',')
		}
		out = strconv.AppendFloat(out, float64(x), 'g', -1, 32)
	}
	return string(append(out, ']'))
}

// LoadVectors queues a read of the encoder's vectors of a session's questions into
// vectors, by key.
func LoadVectors(b *postgres.Batch, s Scope, encoder string, vectors map[string]Vector) {
	postgres.Many(b, queries.QuestionVectors, &dbsqlc.QuestionVectorsParams{TenantID: s.Tenant, SessionID: s.Session, Encoder: encoder}, func(r *dbsqlc.QuestionVectorsRow) error {
		vectors[r.ObligationKey] = Vector{encoder, r.Embedding.Slice()}
		return nil
	})
}

// Suggestion is an emergent obligation that waits for a reviewer's decision.
type Suggestion struct {
	Scope       Scope
	ContextType string
	User        string // the person whose session it is
	Template    Template
	Status      Status
	Value       json.RawMessage // nil while nothing is known
	Evidence    []Evidence      // the words it was derived from
	Turn        int
	At          time.Time
	Vector      Vector
}

// maxProposals bounds a list of proposals.
const maxProposals = 500

// Suggestions returns a tenant's emergent obligations that wait for a reviewer, the latest
// first, at most 500; an empty context type means all.
func Suggestions(ctx context.Context, db postgres.DB, tenant, contextType string) ([]Suggestion, error) {
	out, err := postgres.List(ctx, db, tenant, queries.ProposalList, &dbsqlc.ProposalListParams{TenantID: tenant, ContextType: postgres.OrNull(contextType), Max: int32(maxProposals)}, func(r *dbsqlc.ProposalListRow) (Suggestion, error) {
		return fromProposalRow(tenant, r)
	})
	if err != nil {
		return nil, fmt.Errorf("list proposals: %w", err)
	}
	return out, nil
}

func fromProposalRow(tenant string, r *dbsqlc.ProposalListRow) (Suggestion, error) {
	p := Suggestion{Scope: Scope{tenant, r.SessionID}, ContextType: r.ContextType, User: r.UserID, Status: Status(r.Status), Value: r.ExtractedValue,
		Turn: int(r.TurnNumber), At: r.CreatedAt}
	if r.Embedding != nil {
		p.Vector = Vector{postgres.OrEmpty(r.EmbeddingEncoder), r.Embedding.Slice()}
	}
	if err := json.Unmarshal(r.Template, &p.Template); err != nil {
		return p, fmt.Errorf("template of proposal %s: %w", r.ObligationKey, err)
	}
	var m Meta
	if err := json.Unmarshal(r.Metadata, &m); err != nil {
		return p, fmt.Errorf("metadata of proposal %s: %w", r.ObligationKey, err)
	}
	p.Evidence = m.Evidence
	return p, nil
}

// Group collects suggestions that ask the same within one context type. The groups are in
// the order of their first members.
func Group(list []Suggestion) [][]Suggestion {
	var out [][]Suggestion
next:
	for _, p := range list {
		for i, group := range out {
			first := &group[0]
			if first.ContextType == p.ContextType && Alike(&first.Template, &p.Template, first.Vector, p.Vector).Same() {
				out[i] = append(group, p)
				continue next
			}
		}
		out = append(out, []Suggestion{p})
	}
	return out
}
