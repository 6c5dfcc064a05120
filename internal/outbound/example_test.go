package outbound_test

import (
	"errors"
	"fmt"

	"quaestor/internal/outbound"
)

func Example() {
	client := outbound.NewClient(outbound.Options{})

	_, err := client.Get("http://169.254.169.254/latest/meta-data/")

	var refused *outbound.RefusedError
	fmt.Println(errors.Is(err, outbound.ErrPrivate), errors.As(err, &refused), refused)
	// Output: true true 169.254.169.254:80: the address is not public
}
