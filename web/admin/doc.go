// Package admin holds the pages and the API for those who manage an organisation:
// people and their tokens, limits and retention, what the server is connected to, the
// data that is kept with its export and deletion, and the queue with the server's
// health.
//
// What is set, held, deleted and written into the journal belongs to sessions/settings,
// language models of the organisation to its package models;
// people and tokens belong to internal/auth, and the queue to research. This package
// reads forms, calls those, and shows what they return. How the server is set up it
// learns from [Setup], which the program fills.
//
// All routes are in routes.go. The settings are one page with five tabs ([SettingsTab]).
// Each tab has files of its own: limits.go, people.go, models.go, data.go, and for the connections
// settings.go, which also holds what the tabs share. The *_view.go files word what the
// *.templ files draw. jobs.go is the page of the queue with the health of the server;
// archive.go writes the export.
//
// Two permissions count. All pages are for owners and admins. What all organisations of
// a server share, such as its queues, is decided by an owner only where there is one
// organisation; see [Handlers.operates]. Deletion is for owners.
package admin
