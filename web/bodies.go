package web

import (
	"encoding/json"
	"time"

	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

// ObjectiveBody is an objective on the wire.
type ObjectiveBody struct {
	ID          string                 `json:"id"`
	ContextType string                 `json:"contextType"`
	Version     string                 `json:"version"`
	DisplayName string                 `json:"displayName"`
	Description string                 `json:"description"`
	OriginLayer obligations.Layer      `json:"originLayer"`
	Active      bool                   `json:"active"`
	Obligations int                    `json:"obligationCount"`
	Extends     string                 `json:"extends,omitempty" doc:"what it is a layer on, such as business_profile 1.0.0"`
	Definition  *objectives.Definition `json:"definition,omitempty" doc:"as it is in effect, all layers merged"`
	Layers      layersByKey            `json:"layers,omitempty" doc:"the layer each obligation comes from"`
	Overlay     json.RawMessage        `json:"overlay,omitempty" doc:"what the layer itself says"`
	CreatedAt   time.Time              `json:"createdAt"`
}

// layersByKey says where obligations come from.
type layersByKey map[string]obligations.Layer

func ToObjectiveBody(o objectives.Objective) ObjectiveBody {
	out := ObjectiveBody{ID: o.ID, ContextType: o.ContextType, Version: o.Version, DisplayName: o.DisplayName, Description: o.Definition.Description,
		OriginLayer: o.Layer, Active: o.Active, Obligations: len(o.Definition.Obligations), CreatedAt: o.CreatedAt}
	if o.Composition != nil {
		out.Extends = o.Composition.Base
	}
	return out
}

func WithDefinition(o objectives.Objective) ObjectiveBody {
	out := ToObjectiveBody(o)
	out.Definition = o.Definition
	out.Layers = layersByKey{}
	for _, t := range o.Definition.Obligations {
		out.Layers[t.Key] = o.LayerOf(t.Key)
	}
	if o.Composition != nil {
		out.Overlay = o.Composition.Overlay
	}
	return out
}

// ObligationBody is an obligation on the wire.
type ObligationBody struct {
	obligations.Obligation
	Band        obligations.Band     `json:"band"`
	OriginLayer obligations.Layer    `json:"originLayer"`
	Details     *obligations.Details `json:"details,omitempty" doc:"what was said of a number or a date beside it: currency, period, unit, whether it is about, at least or at most that"`
}

func ToObligationBody(o obligations.Obligation) ObligationBody {
	named := *o.Template // templates are shared
	named.Label = o.Name()
	o.Template = &named
	return ObligationBody{o, o.Confidence.Band(), o.Origin.Layer, o.Details()}
}

// HistoryBody is a line of the audit trail on the wire.
type HistoryBody struct {
	ID            int64                  `json:"id"`
	Key           string                 `json:"key"`
	Type          obligations.EventType  `json:"eventType"`
	OldStatus     obligations.Status     `json:"oldStatus,omitempty"`
	NewStatus     obligations.Status     `json:"newStatus,omitempty"`
	OldConfidence obligations.Confidence `json:"oldConfidence"`
	NewConfidence obligations.Confidence `json:"newConfidence"`
	Source        string                 `json:"source"`
	Metadata      obligations.Meta       `json:"metadata"`
	Turn          int                    `json:"turnNumber"`
	CreatedAt     time.Time              `json:"createdAt"`
}

func ToHistoryBody(e obligations.StoredEvent) HistoryBody {
	return HistoryBody{e.ID, e.Key, e.Type, e.OldStatus, e.NewStatus, e.OldConfidence, e.NewConfidence, e.Source, e.Meta, e.Turn, e.At}
}

// SessionBody is a session on the wire.
type SessionBody struct {
	ID           string                    `json:"id"`
	ContextType  string                    `json:"contextType"`
	ObjectiveID  string                    `json:"objectiveId"`
	UserID       string                    `json:"userId"`
	Language     string                    `json:"language,omitempty" doc:"BCP 47 tag of the language it is held in, such as de"`
	LanguageFrom sessions.LanguageSource   `json:"languageSource,omitempty" enum:"asked,detected,accepted,objective" doc:"whether it was asked for, detected in the first messages, accepted by the browser, or is the objective's own"`
	Status       sessions.Status           `json:"status"`
	Phase        sessions.Phase            `json:"phase"`
	Score        float64                   `json:"score" doc:"0 to 1, what is known weighted by how surely"`
	Progress     float64                   `json:"progress" doc:"0 to 1, what is resolved"`
	TurnCount    int                       `json:"turnCount"`
	Version      int64                     `json:"version"`
	StopReason   sessions.StopReason       `json:"stopReason,omitempty"`
	Question     *sessions.Question        `json:"question,omitempty"`
	RunningTurn  int                       `json:"runningTurn,omitempty" doc:"the turn that runs now"`
	Completeness *obligations.Completeness `json:"completeness,omitempty"`
	CreatedAt    time.Time                 `json:"createdAt"`
	UpdatedAt    time.Time                 `json:"updatedAt"`
	CompletedAt  *time.Time                `json:"completedAt,omitempty"`
	Revision     int                       `json:"revision" doc:"counts from 1 how often it is worked towards completion; reopening begins the next"`
	Handover     *HandoverBody             `json:"handover,omitempty" doc:"the wish for a human being, until somebody got in touch"`
}

// HandoverBody is the wish for a human being on the wire.
type HandoverBody struct {
	Turn    int       `json:"turn" doc:"in which the person asked"`
	AskedAt time.Time `json:"askedAt"`
}

func ToSessionBody(s sessions.Session) SessionBody {
	var handover *HandoverBody
	if s.Handover != nil {
		handover = &HandoverBody{s.Handover.Turn, s.Handover.At}
	}
	return SessionBody{ID: s.ID, ContextType: s.ContextType, ObjectiveID: s.ObjectiveID, UserID: s.User, Language: s.Language, LanguageFrom: s.LanguageSource, Status: s.Status, Phase: s.Phase, Score: s.Score,
		Progress: s.Progress, TurnCount: s.Turns, Version: s.Version, StopReason: s.StopReason, Question: s.Question, CreatedAt: s.CreatedAt,
		UpdatedAt: s.UpdatedAt, CompletedAt: s.CompletedAt, Revision: s.Revision, Handover: handover}
}

// MessageBody is an entry of the transcript on the wire.
type MessageBody struct {
	ID        string           `json:"id"`
	Turn      int              `json:"turn"`
	Role      sessions.Speaker `json:"role"`
	Content   string           `json:"content"`
	Complete  bool             `json:"complete" doc:"false for a reply the person stopped"`
	UserID    string           `json:"userId,omitempty"`
	CreatedAt time.Time        `json:"createdAt"`

	Files []sessions.Attachment `json:"files,omitempty" doc:"given with it; a message may bring files and say nothing"`
}

func ToMessageBody(m sessions.Message) MessageBody {
	return MessageBody{m.ID(), m.Turn, m.Role, m.Content, m.Complete, m.User, m.At, m.Files}
}
