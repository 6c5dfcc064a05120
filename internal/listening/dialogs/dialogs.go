// Package dialogs holds the labelled dialogs that interviews are measured with.
package dialogs

import "embed"

// HeldOut are the dialogs that nothing is trained on: heldout-<language>/*.txt.
//
//go:embed heldout-*/*.txt
var HeldOut embed.FS
