//go:build !amd64

package embedding

// mapPanel maps rows through one panel; see [mapPanelPlain].
func mapPanel(y, x, panel, bias []float32, rows, in, out int) {
	mapPanelPlain(y, x, panel, bias, rows, in, out)
}
