package talk_test

func pointer(x float64) *float64 { return &x }
