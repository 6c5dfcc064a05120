package research

import (
	"quaestor/research"
	"quaestor/web/tasks"
)

// taskChip is the colour of where t stands.
func taskChip(t research.Task) string {
	return map[string]string{"found": "is-known", "running": "is-now", "pending": "is-later", "no_evidence": "is-part", "contradicting": "is-warn", "failed": "is-warn"}[tasks.Standing(t)]
}
