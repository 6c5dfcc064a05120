package runs_test

import (
	"fmt"

	"quaestor/research/warehouse/runs"
)

func ExampleStatus_MayBecome() {
	fmt.Println(runs.Running.MayBecome(runs.Paused), runs.Completed.MayBecome(runs.Running), runs.Failed.MayBecome(runs.Pending))
	// Output: true false true
}
