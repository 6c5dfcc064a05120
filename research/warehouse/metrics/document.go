package metrics

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"quaestor/internal/fault"
)

// MaxDocument is how many bytes a document may have: manifests of large dbt projects have some
// ten megabytes.
const MaxDocument = 16 << 20

// maxYAML bounds what is parsed as YAML, which takes fifty times its size in memory.
const maxYAML = 1 << 20

// maxParts bounds the models, views, metrics, dimensions and examples of a YAML document: each is
// decoded by itself, and told of when it is not taken over.
const maxParts = 2000

// Format is what a document is written in.
type Format string

// The formats.
const (
	Own        Format = "quaestor"     // metrics, dimensions and examples, with the fields of [Spec]
	MetricFlow Format = "metricflow"   // YAML of dbt: semantic_models and metrics
	Manifest   Format = "dbt manifest" // target/manifest.json of dbt
	LookML     Format = "lookml"       // views as YAML, with sql_table_name, dimensions and measures
)

// Document is what a document defines. Nothing of it was checked by a guard.
type Document struct {
	Format   Format
	Specs    []Spec
	Examples []WrittenExample
	Skipped  []Skipped
}

// WrittenExample is a question with its query, as it stands in a document.
type WrittenExample struct {
	Question string `json:"question" yaml:"question"`
	SQL      string `json:"sql" yaml:"sql"`
}

// Skipped is a part of a document that is not taken over, and why, with what can be done.
type Skipped struct {
	Name string `json:"name"`
	Why  string `json:"why"`
}

// skip notes a part that is not taken over.
func (d *Document) skip(name, format string, args ...any) {
	d.Skipped = append(d.Skipped, Skipped{name, fmt.Sprintf(format, args...)})
}

// written is what documents of all formats hold, but manifests.
type written struct {
	Models     []semanticModel `yaml:"semantic_models"`
	Views      []view          `yaml:"views"`
	View       *view           `yaml:"view"`
	Metrics    []yaml.Node     `yaml:"metrics"`
	Dimensions []yaml.Node     `yaml:"dimensions"`
	Examples   []yaml.Node     `yaml:"examples"`
}

// Parse reads a document and finds out its format. Several YAML documents in one, parted by
// lines of ---, are one. The error is Unprocessable.
func Parse(text []byte) (Document, error) {
	switch {
	case len(text) > MaxDocument:
		return Document{}, fault.New(fault.TooLarge, "has more than %d MiB; leave out what is no metric", MaxDocument>>20).At("text").Coded("document_too_large")
	case !utf8.Valid(text) || bytes.IndexByte(text, 0) >= 0:
		return Document{}, wrong("text", "is not UTF-8, or holds a NUL character")
	}
	if bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) {
		if m, ok := readManifest(text); ok {
			return m, nil
		}
	}
	if len(text) > maxYAML {
		return Document{}, fault.New(fault.TooLarge, "YAML has at most %d KiB; import it in parts", maxYAML>>10).At("text").Coded("document_too_large")
	}
	w, err := readYAML(text)
	if err != nil {
		return Document{}, err
	}
	switch n := len(w.Views) + len(w.Models) + len(w.Metrics) + len(w.Dimensions) + len(w.Examples); {
	case n > maxParts:
		return Document{}, fault.New(fault.TooLarge, "has %d parts, and a document has at most %d; import it in several", n, maxParts).At("text").Coded("document_too_large")
	case len(w.Views) > 0 || w.View != nil:
		return w.lookML(), nil
	case len(w.Models) > 0 || w.flows():
		return metricFlow(w.Models, w.Metrics), nil
	case len(w.Metrics)+len(w.Dimensions)+len(w.Examples) > 0:
		return w.own(), nil
	}
	return Document{}, wrong("text", "defines nothing; it has metrics, dimensions or examples, semantic_models of dbt, or views of LookML as YAML")
}

// readYAML reads all documents of a text as one.
func readYAML(text []byte) (all written, err error) {
	d := yaml.NewDecoder(bytes.NewReader(text))
	for {
		var w written
		switch err := d.Decode(&w); {
		case errors.Is(err, io.EOF):
			return all, nil
		case err != nil:
			return all, wrong("text", "is no YAML of this kind: %s", strings.TrimPrefix(strings.ReplaceAll(err.Error(), "\n", " "), "yaml: "))
		}
		all.Models, all.Views, all.Metrics = append(all.Models, w.Models...), append(all.Views, w.Views...), append(all.Metrics, w.Metrics...)
		all.Dimensions, all.Examples = append(all.Dimensions, w.Dimensions...), append(all.Examples, w.Examples...)
		if w.View != nil {
			all.Views = append(all.Views, *w.View)
		}
	}
}

// flows reports whether the metrics are MetricFlow's, whose semantic models may stand in another
// file.
func (w *written) flows() bool {
	for i := range w.Metrics {
		var m flowMetric
		if w.Metrics[i].Decode(&m) == nil && (m.Params.Measure.Name != "" || m.Params.Numerator.Name != "") {
			return true
		}
	}
	return false
}

// own reads our own format, in which a field that is not known is a mistake.
func (w *written) own() Document {
	out := Document{Format: Own}
	out.define(Metric, w.Metrics)
	out.define(Dimension, w.Dimensions)
	for i := range w.Examples {
		var e WrittenExample
		if err := strictly(&w.Examples[i], &e); err != nil {
			out.skip(fmt.Sprintf("example %d", i+1), "%s", err)
			continue
		}
		out.Examples = append(out.Examples, e)
	}
	return out
}

// define adds what nodes of our own format define.
func (d *Document) define(kind Kind, nodes []yaml.Node) {
	for i := range nodes {
		var s Spec
		if err := strictly(&nodes[i], &s); err != nil {
			d.skip(fmt.Sprintf("%s %d", kind, i+1), "%s", err)
			continue
		}
		s.Kind = kind
		d.Specs = append(d.Specs, s)
	}
}

// strictly decodes a node and refuses fields that its target does not have.
func strictly(n *yaml.Node, into any) error {
	if hasAlias(n) {
		return errors.New("refers to another part by an alias; write it out")
	}
	raw, err := yaml.Marshal(n)
	if err != nil {
		return err
	}
	d := yaml.NewDecoder(bytes.NewReader(raw))
	d.KnownFields(true)
	err = d.Decode(into)
	var wrongType *yaml.TypeError
	if errors.As(err, &wrongType) && len(wrongType.Errors) > 0 {
		_, what, _ := strings.Cut(wrongType.Errors[0], ": ")
		what, _, _ = strings.Cut(what, " in type ")
		return errors.New(what + "; see docs/warehouse.md for the fields")
	}
	return err
}

// hasAlias reports whether an alias stands in a node.
func hasAlias(n *yaml.Node) bool {
	return n.Kind == yaml.AliasNode || slices.ContainsFunc(n.Content, hasAlias)
}

// Write returns definitions and examples in our own format, to be kept in files of a team.
func Write(list []Definition, examples []Example) ([]byte, error) {
	var out struct {
		Metrics    []Spec           `yaml:"metrics,omitempty"`
		Dimensions []Spec           `yaml:"dimensions,omitempty"`
		Examples   []WrittenExample `yaml:"examples,omitempty"`
	}
	for _, d := range list {
		if d.Kind == Metric {
			out.Metrics = append(out.Metrics, d.Spec)
		} else {
			out.Dimensions = append(out.Dimensions, d.Spec)
		}
	}
	for _, e := range examples {
		out.Examples = append(out.Examples, WrittenExample{e.Question, e.SQL})
	}
	return yaml.Marshal(out)
}

// asYAML returns a JSON value as YAML reads it: JSON without escapes that YAML does not have.
func asYAML(raw json.RawMessage, into any) error {
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return err
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err
	}
	return yaml.Unmarshal(b.Bytes(), into)
}
