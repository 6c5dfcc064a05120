package listening

// What each feature weighs; training/fields.py fits them on the training dialogs.
var fieldWeights = [featCount]float64{
	-0.144,
	0.548,
	0.615,
	1.174,
	1.690,
	0.740,
	-0.513,
	-0.210,
	0.142,
	1.006,
	-2.343,
	0.000,
	-0.124,
	0.753,
	0.000,
	0.644,
	0.732,
	0.968,
	0.461,
	0.485,
	0.097,
	1.161,
	0.894,
	-0.072,
}

const fieldBias = -0.295
