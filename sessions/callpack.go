package sessions

import (
	"bytes"
	"compress/flate"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
	"time"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions/internal/dbsqlc"
)

// CallPack is the calls of one attempt of a turn in one row, since they share most of
// their text. The row holds
//
//	format (1 byte), CRC-32 of the JSON (4 bytes), the JSON, deflated
//
// with a preset dictionary: what was said in the session until then, followed by what
// all prompts have in common. Messages of a session never change, so every reader has
// the same dictionary for as long as the session exists. The format tells whether the
// dictionary includes the turn's reply.
type CallPack struct {
	calls []ModelCall // of one scope, turn and attempt; at least one
	rules []string    // first messages of their prompts, each once
	words callWords
}

// callWords is what was said in a session until the end of a turn.
type callWords struct {
	said    []string // messages, oldest first
	replied bool     // the last of them is the turn's reply
}

// packSpan is how far apart the calls of a pack may begin, so that a pack is deleted
// with calls of its age.
const packSpan = time.Hour

// PackCalls sorts calls into packs and keeps their order.
func PackCalls(calls []ModelCall) []*CallPack {
	var out []*CallPack
	for _, c := range calls {
		i := slices.IndexFunc(out, func(p *CallPack) bool { return p.takes(c) })
		if i < 0 {
			i, out = len(out), append(out, &CallPack{})
		}
		p := out[i]
		p.calls = append(p.calls, c)
		if c.Rules != "" && !slices.Contains(p.rules, c.Rules) {
			p.rules = append(p.rules, c.Rules)
		}
	}
	return out
}

// takes reports whether a call belongs into the pack.
func (p *CallPack) takes(c ModelCall) bool {
	f := p.calls[0]
	return f.Scope == c.Scope && f.Turn == c.Turn && f.Attempt == c.Attempt && c.At.Sub(f.At).Abs() < packSpan
}

// QueueWords queues a read of the pack's dictionary. The batch must be sent before
// [CallPack.Save].
func (p *CallPack) QueueWords(b *postgres.Batch) {
	queueWords(b, p.calls[0].Scope, p.calls[0].Turn, &p.words)
}

// packedTurns is how many turns before a turn the dictionary includes: those that a
// prompt may repeat. It is part of the format and must not change.
const packedTurns = 22

// queueWords queues a read of what was said until the end of a turn.
func queueWords(b *postgres.Batch, s obligations.Scope, turn int, w *callWords) {
	postgres.Many(b, queries.CallPackWords, &dbsqlc.CallPackWordsParams{Turn: int32(turn), TenantID: s.Tenant, SessionID: s.Session, After: int32(turn - packedTurns - 1)}, func(r *dbsqlc.CallPackWordsRow) error {
		w.said, w.replied = append(w.said, r.Content), r.Reply
		return nil
	})
}

// RulesHash is the hash under which the first messages of a pack's prompts are stored.
type RulesHash [sha256.Size]byte

// Rules returns the first messages of the pack's prompts as a JSON list, their hash, and
// when the last of its calls began.
func (p *CallPack) Rules() (hash RulesHash, list []byte, used time.Time) {
	list, _ = json.Marshal(p.rules) // strings
	for _, c := range p.calls {
		if c.At.After(used) {
			used = c.At
		}
	}
	return sha256.Sum256(list), list, used
}

// SavePromptRules queues the rules that packs of the batch's tenant refer to. They must
// be saved again for calls that begin more than an hour after used, or they may be
// pruned.
func SavePromptRules(b *postgres.Batch, hash RulesHash, list []byte, used time.Time) {
	_ = queries.PromptRulesSave(context.Background(), b, &dbsqlc.PromptRulesSaveParams{TenantID: b.Tenant(), Sha256: hash[:], UsedAt: used, Content: list})
}

// Save queues the pack. Its rules must be stored under hash, in this batch or before it,
// or the batch fails. A pack whose session is gone, or that is stored already, is
// ignored.
func (p *CallPack) Save(b *postgres.Batch, hash RulesHash, by *Packer) error {
	packed, err := by.pack(p)
	if err != nil {
		return err
	}
	first := p.calls[0]
	at := slices.MinFunc(p.calls, func(a, b ModelCall) int { return a.At.Compare(b.At) }).At
	return queries.CallPackInsert(context.Background(), b, &dbsqlc.CallPackInsertParams{TenantID: first.Scope.Tenant, SessionID: first.Scope.Session, At: at,
		Turn: int32(first.Turn), Attempt: int32(first.Attempt), N: int32(first.N), Calls: int32(len(p.calls)), Rules: hash[:], Packed: packed})
}

// packedCall is a call as it stands in a pack. Durations are in milliseconds.
type packedCall struct {
	N          int           `json:"n"`
	Purpose    string        `json:"purpose"`
	Model      string        `json:"model"`
	Rules      int           `json:"rules"` // place in the list of rules, from 1; 0 for none
	Prompt     []CallMessage `json:"prompt"`
	Response   string        `json:"response"`
	Cut        bool          `json:"cut,omitempty"`
	In         int           `json:"in"`
	Out        int           `json:"out"`
	Money      float64       `json:"money,omitempty"`
	Tries      int           `json:"tries"`
	Failure    string        `json:"failure,omitempty"`
	At         int64         `json:"at"` // microseconds since 1970
	Began      int32         `json:"began"`
	FirstToken int32         `json:"first,omitempty"`
	Total      int32         `json:"total"`
}

const (
	maxCallPurpose = 40  // bytes
	maxCallModel   = 200 // bytes
	maxPack        = 4 << 20
)

// Check says what is wrong with a call that is to be kept.
func (c *ModelCall) Check() error {
	switch {
	case c.Purpose == "" || len(c.Purpose) > maxCallPurpose:
		return fault.New(fault.Invalid, "the purpose of a call must have 1 to %d bytes", maxCallPurpose)
	case c.Model == "" || len(c.Model) > maxCallModel:
		return fault.New(fault.Invalid, "the model of a call must have 1 to %d bytes", maxCallModel)
	}
	return nil
}

func (p *CallPack) encode(w io.Writer) error {
	list := make([]packedCall, len(p.calls))
	for i, c := range p.calls {
		list[i] = packedCall{N: c.N, Purpose: c.Purpose, Model: c.Model, Rules: slices.Index(p.rules, c.Rules) + 1, Prompt: c.Prompt, Response: c.Response, Cut: c.Cut,
			In: c.PromptTokens, Out: c.CompletionTokens, Money: c.Money, Tries: c.Tries, Failure: c.Failure, At: c.At.UnixMicro(),
			Began: milliseconds(c.Began), FirstToken: milliseconds(c.FirstToken), Total: milliseconds(c.Total)}
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false) // marks of data stand in every prompt
	return e.Encode(list)
}

// Packer packs calls, one pack after another. The zero value works; its memory, one
// megabyte from the first pack on, is used again.
type Packer struct {
	w     *flate.Writer
	plain bytes.Buffer
	out   bytes.Buffer
}

// The formats are the one described at [CallPack], before the turn's reply was there
// and since.
const (
	beforeReply byte = 1
	sinceReply  byte = 2
)

func (k *Packer) pack(p *CallPack) ([]byte, error) {
	k.plain.Reset()
	if err := p.encode(&k.plain); err != nil {
		return nil, fmt.Errorf("encode calls of turn %d: %w", p.calls[0].Turn, err)
	}
	if k.plain.Len() > maxPack {
		return nil, fault.New(fault.TooLarge, "the calls of turn %d have %d bytes, more than %d", p.calls[0].Turn, k.plain.Len(), maxPack)
	}
	format := beforeReply
	if p.words.replied {
		format = sinceReply
	}
	head := binary.BigEndian.AppendUint32([]byte{format}, crc32.ChecksumIEEE(k.plain.Bytes()))
	body, err := k.deflate(k.plain.Bytes(), dictionary(p.words.said))
	return append(head, body...), err
}

// deflate compresses text after a dictionary: the writer is given the dictionary
// first and what comes of that is dropped, so that its memory can be used again.
func (k *Packer) deflate(text, dict []byte) ([]byte, error) {
	k.out.Reset()
	if k.w == nil {
		k.w, _ = flate.NewWriter(&k.out, flate.DefaultCompression) // the level is valid
	}
	k.w.Reset(&k.out)
	_, first := k.w.Write(dict)
	flushed := k.w.Flush()
	skip := k.out.Len()
	_, second := k.w.Write(text)
	err := errors.Join(first, flushed, second, k.w.Close())
	return k.out.Bytes()[skip:], err
}

// commonWords is what prompts and answers have in common, the most frequent last.
// It is part of the format and never changes: another text is another format.
//
//go:embed callpack.txt
var commonWords string

// maxSaid bounds what a dictionary has of the session, in bytes. It is part of the
// format, as flate looks back 32 KB at most.
const maxSaid = 20 << 10

// dictionary returns what packs are compressed with: the end of what was said, a
// line a message, and the common words.
func dictionary(said []string) []byte {
	var out []byte
	for _, text := range said {
		out = append(append(out, text...), '\n')
	}
	return append(out[max(0, len(out)-maxSaid):], commonWords...)
}

// unpackCalls returns the calls of a pack, without their scope, turn and attempt. Rules
// that are gone are empty.
func unpackCalls(packed, rules []byte, w callWords) ([]ModelCall, error) {
	if len(packed) < 5 || packed[0] != beforeReply && packed[0] != sinceReply {
		return nil, errors.New("the pack is of an unknown format")
	}
	if w.replied && packed[0] == beforeReply {
		w.said = w.said[:len(w.said)-1]
	}
	plain, err := io.ReadAll(io.LimitReader(flate.NewReaderDict(bytes.NewReader(packed[5:]), dictionary(w.said)), maxPack))
	if err != nil {
		return nil, fmt.Errorf("inflate the pack: %w", err)
	}
	if crc32.ChecksumIEEE(plain) != binary.BigEndian.Uint32(packed[1:]) {
		return nil, errors.New("the pack has another dictionary")
	}
	var list []packedCall
	if err := json.Unmarshal(plain, &list); err != nil {
		return nil, fmt.Errorf("read the pack: %w", err)
	}
	var texts []string
	if len(rules) > 0 {
		if err := json.Unmarshal(rules, &texts); err != nil {
			return nil, fmt.Errorf("read the rules of the pack: %w", err)
		}
	}
	out := make([]ModelCall, len(list))
	for i := range list {
		out[i] = list[i].call(texts)
	}
	return out, nil
}

func (c *packedCall) call(rules []string) ModelCall {
	out := ModelCall{N: c.N, Purpose: c.Purpose, Model: c.Model, Prompt: c.Prompt, Response: c.Response, Cut: c.Cut, PromptTokens: c.In, CompletionTokens: c.Out,
		Money: c.Money, Tries: c.Tries, Failure: c.Failure, At: time.UnixMicro(c.At), Began: time.Duration(c.Began) * time.Millisecond,
		FirstToken: time.Duration(c.FirstToken) * time.Millisecond, Total: time.Duration(c.Total) * time.Millisecond}
	if c.Rules > 0 && c.Rules <= len(rules) {
		out.Rules = rules[c.Rules-1]
	}
	return out
}
