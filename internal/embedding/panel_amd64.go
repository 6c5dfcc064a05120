package embedding

import "golang.org/x/sys/cpu"

// vectorised reports whether this processor has what [fourRows] needs, as nearly all
// now in use do.
var vectorised = cpu.X86.HasAVX2 && cpu.X86.HasFMA

// fourRows maps four rows through one panel. Rows of x are xStep numbers apart
// and in numbers long, those of y yStep apart and panelWidth long; a step of 0
// maps one row four times.
//
//go:noescape
func fourRows(y, x, panel, bias *float32, in, yStep, xStep int)

// mapPanel maps rows through one panel; see [mapPanelPlain], which is ten times
// slower: a sentence takes 3 ms with this and 30 ms with that, in a turn of which
// little more than that should be our own.
func mapPanel(y, x, panel, bias []float32, rows, in, out int) {
	if !vectorised {
		mapPanelPlain(y, x, panel, bias, rows, in, out)
		return
	}
	// What fourRows touches, checked here because nothing checks there.
	_, _, _, _ = y[(rows-1)*out+panelWidth-1], x[rows*in-1], panel[in*panelWidth-1], bias[panelWidth-1]
	if rows < 4 {
		for row := range rows {
			fourRows(&y[row*out], &x[row*in], &panel[0], &bias[0], in, 0, 0)
		}
		return
	}
	for row := 0; row < rows; row += 4 {
		at := min(row, rows-4) // the last four overlap those before
		fourRows(&y[at*out], &x[at*in], &panel[0], &bias[0], in, out, in)
	}
}
