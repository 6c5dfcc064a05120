package web

import (
	"github.com/danielgtaylor/huma/v2"

	"strings"

	"quaestor/internal/language"
	"quaestor/web/ui"
)

// ReferenceView is what [Reference] shows: the API as it describes itself.
type ReferenceView struct {
	Version string
	Base    string // where this server is reached, such as "http://localhost:8080"
	Groups  []ReferenceGroup
	Shapes  []ReferenceShape // of bodies, by name
}

// ReferenceGroup is the operations on one kind of thing.
type ReferenceGroup = ui.Group[string, ReferenceOperation]

// ReferenceOperation is one thing that can be asked for.
type ReferenceOperation struct {
	*huma.Operation
	Params   []ReferenceField // in the path, the address and the headers
	Body     *ReferenceType   // nil for none
	Answers  []ReferenceAnswer
	Refusals []string // statuses that are answered by a problem
}

// ReferenceAnswer is one way an operation goes well.
type ReferenceAnswer struct {
	Status string // such as "200"
	Says   string
	Media  string         // its media type; empty for no body
	Type   *ReferenceType // nil when there is nothing to say but the media type
}

// ReferenceShape is an object with its fields.
type ReferenceShape struct {
	Name   string
	Says   string
	Fields []ReferenceField
}

// ReferenceField is a parameter or a field.
type ReferenceField struct {
	Name     string
	In       string // where a parameter stands: path, query or header; empty for a field
	Type     ReferenceType
	Required bool
	Says     string
}

// ReferenceType is a type in words; at its end it may name a shape.
type ReferenceType struct {
	Words string // such as "integer, 1 to 200" or "list of"
	Shape string // name of a [ReferenceShape]; empty for none
}

// shapeID is the place of a shape on the page.
func shapeID(name string) string { return "shape-" + name }

// operationID is the place of an operation on the page.
func operationID(o ReferenceOperation) string { return "op-" + o.OperationID }

// groupID is the place of a group on the page.
func groupID(g ReferenceGroup) string { return "group-" + g.Name }

// groupName is what a group is called.
func groupName(name string) string { return language.UpperFirst(strings.ReplaceAll(name, "-", " ")) }

// refusals lists the statuses of problems.
func refusals(o ReferenceOperation) string { return strings.Join(o.Refusals, ", ") }
