package sessions

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf16"

	"quaestor/internal/fault"
	"quaestor/internal/language"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions/internal/dbsqlc"
	"quaestor/sessions/objectives"
)

// FoundKind is a kind of text that a search can find.
type FoundKind string

// The kinds.
const (
	FoundObligation FoundKind = "obligation"
	FoundMessage    FoundKind = "message"
	FoundSession    FoundKind = "session"
)

// sessionKey is the key under which a session's own text is stored.
const sessionKey = "session"

// Query is what to search for, and where.
type Query struct {
	Tenant  string
	User    string    // the person whose sessions are searched; empty means any
	Session string    // empty means all
	Kind    FoundKind // empty means all
	Words   string    // in the syntax of search engines: "a phrase", or, -without
	Max     int       // most hits; zero means 20, at most 100

	Encoder string    // name of the encoder that made Vector; empty means full text only
	Vector  []float32 // of Words; nil means full text only
}

// Hit is a text that was found.
type Hit struct {
	Kind        FoundKind          `json:"kind"`
	Session     string             `json:"sessionId"`
	ContextType string             `json:"contextType"`
	User        string             `json:"userId"`
	Key         string             `json:"key" doc:"of the obligation, or the message's id"`
	At          time.Time          `json:"at"`
	Score       float64            `json:"score" doc:"orders the hits of one search; of several no more than that"`
	Snippet     string             `json:"snippet"`
	Highlights  []obligations.Span `json:"highlights" doc:"stretches of the snippet that met the query, in UTF-16 units; none where the meaning did"`
}

// Bounds of a search. Where no measure is named they are chosen.
const (
	maxHits        = 100
	maxCandidates  = 200  // of each of the two rankings
	maxQueryWords  = 64   // the others of a longer query are ignored
	maxWordRunes   = 100  // longer words are cut
	exactUpTo      = 5000 // vectors that are all compared, which takes some 50 ms; with more the index is used, which approximates
	searchPatience = 5 * time.Second
	minSimilarity  = 0.40 // cosine; texts below are found by their words or not at all
)

// Search returns the texts nearest to the query's words, best first. It ranks them by
// full text and by meaning and fuses the two rankings; equals are ordered latest first,
// then by session, kind and key. Vectors of other encoders are ignored. A query without
// words finds nothing; a search that takes too long is Unavailable.
func Search(ctx context.Context, db postgres.DB, q Query) ([]Hit, error) {
	q.Words = searchable(q.Words)
	if q.Words == "" {
		return nil, nil
	}
	if q.Max <= 0 {
		q.Max = 20
	}
	q.Max = min(q.Max, maxHits)
	byText, vectors, err := q.byText(ctx, db)
	if err != nil {
		return nil, q.fail(err)
	}
	var byMeaning []textRef
	if vectors > 0 {
		if byMeaning, err = q.byMeaning(ctx, db, vectors); err != nil {
			return nil, q.fail(err)
		}
	}
	list, scores := fuse(byText, byMeaning)
	hits, err := q.read(ctx, db, list[:min(len(list), q.Max)], scores)
	return hits, q.fail(err)
}

// fail returns err as the error of a search: Unavailable when the statement ran out of
// time (57014).
func (q *Query) fail(err error) error {
	if postgres.Code(err) == "57014" {
		return fault.New(fault.Unavailable, "the search takes too long; look for rarer words, or in one session").Because(err)
	}
	return fault.Wrap(err, "search")
}

// searchable returns a query that the database accepts: readable words, not too many and
// none too long.
func searchable(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == unicode.ReplacementChar || strings.ContainsRune(marks, r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, " "))
	var words []string
	for _, w := range strings.Fields(s) {
		r := []rune(w)
		if w = plainDashes(r[:min(len(r), maxWordRunes)]); w != "" && len(words) < maxQueryWords {
			words = append(words, w)
		}
	}
	return strings.Join(words, " ")
}

// plainDashes removes the dashes of a word but the first, which negates it, and those
// between letters: PostgreSQL fails on long rows of negations. A word without letters
// and digits keeps at most one quotation mark.
func plainDashes(word []rune) string {
	says := func(i int) bool {
		return i >= 0 && i < len(word) && (unicode.IsLetter(word[i]) || unicode.IsDigit(word[i]))
	}
	var b strings.Builder
	spoken := false
	for i, r := range word {
		spoken = spoken || says(i)
		if r != '-' || says(i-1) && says(i+1) || i == 0 {
			b.WriteRune(r)
		}
	}
	if !spoken {
		return strings.Repeat(`"`, min(strings.Count(b.String(), `"`), 1))
	}
	return b.String()
}

// textRef identifies a text.
type textRef struct{ session, kind, key string }

// byText returns the texts that match the words, best first, and how many vectors could
// be compared. It stops counting them at one more than exactUpTo.
func (q *Query) byText(ctx context.Context, db postgres.DB) (list []textRef, vectors int, err error) {
	b := q.batch()
	if q.Encoder != "" && q.Vector != nil {
		postgres.Many(b, queries.EmbeddingCount, &dbsqlc.EmbeddingCountParams{
			TenantID: q.Tenant, Encoder: q.Encoder, UserID: postgres.OrNull(q.User),
			Kind: postgres.OrNull(string(q.Kind)), SessionID: postgres.OrNull(q.Session),
			Max: int32(exactUpTo + 1),
		}, func(n int64) error {
			vectors = int(n)
			return nil
		})
	}
	_ = queries.SearchFor(ctx, b, q.Words)
	postgres.Many(b, queries.SearchByText, &dbsqlc.SearchByTextParams{
		TenantID: q.Tenant, UserID: postgres.OrNull(q.User), Kind: postgres.OrNull(string(q.Kind)),
		SessionID: postgres.OrNull(q.Session), Max: int32(maxCandidates),
	}, func(r *dbsqlc.SearchByTextRow) error {
		list = append(list, textRef{r.SessionID, r.Kind, r.Key})
		return nil
	})
	err = b.Send(ctx, db)
	return list, vectors, err
}

// batch returns a batch whose statements may take searchPatience each.
func (q *Query) batch() *postgres.Batch {
	b := postgres.NewBatch(q.Tenant)
	_ = queries.SearchPatience(context.Background(), b, strconv.FormatInt(searchPatience.Milliseconds(), 10))
	return b
}

// byMeaning returns the texts with the nearest vectors, nearest first. In one session,
// or where there are few vectors, it compares all; otherwise it asks the index.
func (q *Query) byMeaning(ctx context.Context, db postgres.DB, vectors int) (list []textRef, err error) {
	b := q.batch()
	near := func(session, kind, key string, similarity float64) {
		if similarity >= minSimilarity {
			list = append(list, textRef{session, kind, key})
		}
	}
	if q.Session != "" || vectors <= exactUpTo {
		postgres.Many(b, queries.SearchExact, &dbsqlc.SearchExactParams{
			Vector: obligations.VectorText(q.Vector), TenantID: q.Tenant, Encoder: q.Encoder,
			UserID: postgres.OrNull(q.User), Kind: postgres.OrNull(string(q.Kind)),
			SessionID: postgres.OrNull(q.Session), Max: int32(maxCandidates),
		}, func(r *dbsqlc.SearchExactRow) error {
			near(r.SessionID, r.Kind, r.Key, r.Similarity)
			return nil
		})
	} else {
		_ = queries.SearchWidely(ctx, b)
		postgres.Many(b, queries.SearchNear, &dbsqlc.SearchNearParams{
			Vector: obligations.VectorText(q.Vector), TenantID: q.Tenant, Encoder: q.Encoder,
			UserID: postgres.OrNull(q.User), Kind: postgres.OrNull(string(q.Kind)), Max: int32(maxCandidates),
		}, func(r *dbsqlc.SearchNearRow) error {
			near(r.SessionID, r.Kind, r.Key, r.Similarity)
			return nil
		})
	}
	err = b.Send(ctx, db)
	return list, err
}

// rankOffset keeps the first places of one ranking from outweighing the agreement of
// both. 60 is the value usual for reciprocal rank fusion.
const rankOffset = 60

// fuse adds up 1/(rankOffset + place) of each ranking (reciprocal rank fusion) and
// returns the texts by their sums, highest first; equals are ordered by session, kind
// and key.
func fuse(rankings ...[]textRef) ([]textRef, map[textRef]float64) {
	scores := map[textRef]float64{}
	for _, list := range rankings {
		for i, f := range list {
			scores[f] += 1 / float64(rankOffset+i+1)
		}
	}
	list := slices.SortedFunc(maps.Keys(scores), func(a, b textRef) int {
		return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(a.session, b.session), cmp.Compare(a.kind, b.kind), cmp.Compare(a.key, b.key))
	})
	return list, scores
}

// Marks around the words that matched. They are from the private use area, and are
// removed from texts before they are stored.
const (
	markStart = "\ue000"
	markEnd   = "\ue001"
	marks     = markStart + markEnd

	headline = "StartSel=" + markStart + ",StopSel=" + markEnd + ",MaxFragments=1,MaxWords=35,MinWords=12"
)

// read returns the first q.Max texts of list as hits with their snippets.
func (q *Query) read(ctx context.Context, db postgres.DB, list []textRef, scores map[textRef]float64) ([]Hit, error) {
	var names struct{ sessions, kinds, keys []string }
	for _, f := range list {
		names.sessions, names.kinds, names.keys = append(names.sessions, f.session), append(names.kinds, f.kind), append(names.keys, f.key)
	}
	var hits []Hit
	b := q.batch()
	postgres.Many(b, queries.SearchRead, &dbsqlc.SearchReadParams{
		Query: q.Words, Options: headline, TenantID: q.Tenant, Sessions: names.sessions, Kinds: names.kinds,
		Keys: names.keys,
	}, func(r *dbsqlc.SearchReadRow) error {
		h := Hit{Kind: FoundKind(r.Kind), Session: r.SessionID, ContextType: r.ContextType, User: r.UserID, Key: r.Key, At: r.At,
			Score: scores[textRef{r.SessionID, r.Kind, r.Key}]}
		h.Snippet, h.Highlights = unmark(r.Snippet)
		hits = append(hits, h)
		return nil
	})
	err := b.Send(ctx, db)
	slices.SortFunc(hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), b.At.Compare(a.At), cmp.Compare(a.Session, b.Session), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Key, b.Key))
	})
	return hits, err
}

// unmark returns a snippet without its marks, and the stretches they enclosed in UTF-16
// units.
func unmark(s string) (snippet string, spans []obligations.Span) {
	spans = []obligations.Span{}
	var b strings.Builder
	at, open := 0, -1
	for _, r := range s {
		switch string(r) {
		case markStart:
			open = at
		case markEnd:
			if open >= 0 && at > open {
				spans = append(spans, obligations.Span{Start: open, End: at})
			}
			open = -1
		default:
			b.WriteRune(r)
			at += max(utf16.RuneLen(r), 1)
		}
	}
	return b.String(), spans
}

// PendingIndex is a session whose searchable texts are out of date.
type PendingIndex struct {
	Scope   obligations.Scope
	Version int64
	Turns   int
	Indexed int // last turn whose messages can be found
}

// Due returns at most most sessions whose searchable texts or vectors are out of date,
// the latest change first. An empty encoder leaves vectors out of account.
func Due(ctx context.Context, db postgres.DB, tenant, encoder string, most int) ([]PendingIndex, error) {
	out, err := postgres.List(ctx, db, tenant, queries.SearchDue, &dbsqlc.SearchDueParams{TenantID: tenant, Encoder: encoder, Max: int32(most)}, func(r *dbsqlc.SearchDueRow) (PendingIndex, error) {
		return PendingIndex{obligations.Scope{Tenant: tenant, Session: r.ID}, r.Version, int(r.TurnCount), int(r.Turn)}, nil
	})
	return out, fault.Wrap(err, "look for sessions to index")
}

// maxIndexed bounds the messages that one call of [Index] reads.
const maxIndexed = 500

// Index stores the texts of a session as they are now, without vectors, and returns the
// last turn whose messages are included. That is less than u.Turns while a turn is
// running, or when there were more than maxIndexed messages: the session stays due.
func Index(ctx context.Context, db postgres.DB, l *objectives.Library, u PendingIndex) (int, error) {
	x := textCollector{scope: u.Scope, turn: u.Turns}
	if err := x.load(ctx, db, l, u); err != nil {
		return 0, fmt.Errorf("read session %s to index it: %w", u.Scope.Session, err)
	}
	d, err := l.Definition(ctx, u.Scope.Tenant, x.session.ObjectiveID)
	if err != nil {
		return 0, err
	}
	body, err := json.Marshal(x.rows(d))
	if err != nil {
		return 0, fmt.Errorf("encode texts of session %s: %w", u.Scope.Session, err)
	}
	b := postgres.NewBatch(u.Scope.Tenant)
	_ = queries.SearchSave(ctx, b, &dbsqlc.SearchSaveParams{TenantID: u.Scope.Tenant, SessionID: u.Scope.Session, Rows: body})
	err = b.Send(ctx, db)
	return x.turn, fault.Wrap(err, "index session %s", u.Scope.Session)
}

// textCollector is a session while its texts are collected.
type textCollector struct {
	scope    obligations.Scope
	session  *Session
	list     []obligations.Obligation
	messages []Message
	turn     int // last whose messages are read whole
}

// load reads the session, its obligations and the messages that are not indexed yet.
func (x *textCollector) load(ctx context.Context, db postgres.DB, l *objectives.Library, u PendingIndex) error {
	b := postgres.NewBatch(x.scope.Tenant)
	Load(b, x.scope, &x.session)
	obligations.Load(b, x.scope, l.Templates(ctx, x.scope.Tenant), &x.list)
	postgres.Many(b, queries.SearchRunning, &dbsqlc.SearchRunningParams{TenantID: x.scope.Tenant, SessionID: x.scope.Session}, func(number int32) error {
		x.turn = min(x.turn, int(number)-1)
		return nil
	})
	postgres.Many(b, queries.SearchMessages, &dbsqlc.SearchMessagesParams{
		TenantID: x.scope.Tenant, SessionID: x.scope.Session, After: int32(u.Indexed), Until: int32(u.Turns),
		Max: int32(maxIndexed),
	}, func(r *dbsqlc.SearchMessagesRow) error {
		x.messages = append(x.messages, Message{Turn: int(r.Turn), Role: Speaker(r.Role), Content: r.Content, At: r.CreatedAt})
		return nil
	})
	if err := b.Send(ctx, db); err != nil {
		return err
	}
	if x.session == nil {
		return NoSession()
	}
	d, err := l.Definition(ctx, x.scope.Tenant, x.session.ObjectiveID)
	if err != nil {
		return err
	}
	x.session.Speak(d, x.list)
	if n := len(x.messages); n == maxIndexed {
		x.turn = min(x.turn, x.messages[n-1].Turn-1) // the rest of that turn may be missing
	}
	x.messages = slices.DeleteFunc(x.messages, func(m Message) bool { return m.Turn > x.turn })
	return nil
}

// textRow is a text as it is stored.
type textRow struct {
	Kind    FoundKind `json:"kind"`
	Key     string    `json:"key"`
	User    string    `json:"user_id"`
	At      time.Time `json:"at"`
	Content string    `json:"content"`
}

// maxTextRunes bounds the searchable part of one text.
const maxTextRunes = 30_000

// rows returns the texts to store: one for each obligation and message, and one for the
// session with everything that is known.
func (x *textCollector) rows(d *objectives.Definition) []textRow {
	var out []textRow
	add := func(kind FoundKind, key string, at time.Time, content string) {
		content = strings.TrimSpace(strings.Map(func(r rune) rune {
			if strings.ContainsRune(marks, r) {
				return -1
			}
			return r
		}, content))
		if content = language.Head(content, maxTextRunes); content != "" {
			out = append(out, textRow{kind, key, x.session.User, at, content})
		}
	}
	about := []string{d.DisplayName}
	for i := range x.list {
		o := &x.list[i]
		words := o.Name() + ". " + o.Prompt
		if o.Value != nil {
			known := o.Name() + ": " + Shown(o)
			about = append(about, known)
			words = known + "\n" + o.Prompt
		}
		add(FoundObligation, o.Key, x.session.UpdatedAt, words)
	}
	for _, m := range x.messages {
		add(FoundMessage, m.ID(), m.At, m.Content)
	}
	add(FoundSession, sessionKey, x.session.UpdatedAt, strings.Join(about, "\n"))
	return out
}

// PendingVector is a text without a vector of an encoder.
type PendingVector struct {
	Kind, Key, User string
	Digest          string // of the content
	Content         string
}

// LoadUnencoded returns at most most texts of a session that have no vector of the
// encoder, or one of an older content.
func LoadUnencoded(ctx context.Context, db postgres.DB, s obligations.Scope, encoder string, most int) ([]PendingVector, error) {
	out, err := postgres.List(ctx, db, s.Tenant, queries.SearchUnencoded, &dbsqlc.SearchUnencodedParams{TenantID: s.Tenant, SessionID: s.Session, Encoder: encoder, Max: int32(most)}, func(r *dbsqlc.SearchUnencodedRow) (PendingVector, error) {
		return PendingVector{r.Kind, r.Key, r.UserID, r.Digest, r.Content}, nil
	})
	return out, fault.Wrap(err, "look for texts of session %s to encode", s.Session)
}

// SaveVectors stores the vectors of texts, in their order; nil for a text without
// words.
func SaveVectors(ctx context.Context, db postgres.DB, s obligations.Scope, encoder string, texts []PendingVector, vectors [][]float32) error {
	type row struct {
		Kind      string  `json:"kind"`
		Key       string  `json:"key"`
		User      string  `json:"user_id"`
		Digest    string  `json:"digest"`
		Embedding *string `json:"embedding"`
	}
	rows := make([]row, len(texts))
	for i, t := range texts {
		rows[i] = row{t.Kind, t.Key, t.User, t.Digest, postgres.OrNull(obligations.VectorText(vectors[i]))}
	}
	body, err := json.Marshal(rows)
	if err != nil {
		return fmt.Errorf("encode vectors of session %s: %w", s.Session, err)
	}
	b := postgres.NewBatch(s.Tenant)
	_ = queries.EmbeddingSave(ctx, b, &dbsqlc.EmbeddingSaveParams{TenantID: s.Tenant, SessionID: s.Session, Encoder: encoder, Rows: body})
	return fault.Wrap(b.Send(ctx, db), "save vectors of session %s", s.Session)
}

// Indexed stores up to where a session can be found; an empty encoder stands for
// full text only.
func Indexed(ctx context.Context, db postgres.DB, u PendingIndex, encoder string) error {
	b := postgres.NewBatch(u.Scope.Tenant)
	_ = queries.SearchHeadSave(ctx, b, &dbsqlc.SearchHeadSaveParams{TenantID: u.Scope.Tenant, SessionID: u.Scope.Session, Version: u.Version,
		Turn: int32(u.Indexed), Encoder: encoder})
	return fault.Wrap(b.Send(ctx, db), "note index of session %s", u.Scope.Session)
}
