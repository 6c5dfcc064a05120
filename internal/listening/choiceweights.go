package listening

// What each feature of an option weighs; training/choices.py fits them on the training
// dialogs.
var choiceWeights = [2 * choiceCount]float64{
	0.209,
	0.070,
	0.208,
	0.067,
	0.200,
	0.177,
	0.096,
	0.387,
	0.185,
	0.404,
	0.107,
	0.268,
	-0.172,
	0.273,
	0.206,
	0.088,
	0.804,
	0.345,
}

// The same without the encoder, and in German.
var choiceWeightsPlain = [2 * choiceCount]float64{
	0.259,
	0.032,
	0.264,
	0.127,
	0.289,
	0.328,
	0.364,
	0.000,
	0.000,
	0.559,
	0.084,
	0.145,
	-0.241,
	0.220,
	0.589,
	0.264,
	0.000,
	0.000,
}
