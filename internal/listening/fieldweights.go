package listening

// What each feature weighs; training/fields.py fits them on the training dialogs.
var fieldWeights = [featCount]float64{
	0.398,
	0.991,
	1.300,
	2.606,
	2.420,
	1.206,
	-0.607,
	-1.141,
	0.658,
	1.407,
	-1.850,
	0.000,
	0.078,
	1.704,
	0.000,
	1.224,
	1.726,
	0.050,
	-0.924,
	0.063,
}

const fieldBias = -2.294
