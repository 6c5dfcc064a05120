package research

import (
	"quaestor/research"
	"quaestor/web/tasks"
)

// taskChip is the colour of where t stands.
func taskChip(t research.Task) string {
	return map[string]string{"found": "chip-known", "running": "chip-now", "pending": "chip-later", "no_evidence": "chip-part", "contradicting": "chip-warn", "failed": "chip-warn"}[tasks.Standing(t)]
}
