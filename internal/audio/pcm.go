package audio

import (
	"encoding/binary"
	"math"
	"time"

	"quaestor/internal/fault"
)

// Rate is the rate, in samples a second, at which speech is detected and heard.
const Rate = 16000

// PreRoll is how much of the stream before the beginning of speech belongs to it: a first
// consonant is often too soft to be detected.
const PreRoll = 200 * time.Millisecond

// Silent is the level, in dBFS, of samples that are all zero. The softest sound that PCM16
// has is louder.
const Silent = -100.0

// Decode appends the samples in b, which is PCM16 in little-endian order, to dst. An odd
// number of bytes is Unprocessable: a half sample shifts all that follow it.
func Decode(dst []int16, b []byte) ([]int16, error) {
	if len(b)%2 != 0 {
		return dst, fault.New(fault.Unprocessable, "PCM16 has two bytes a sample, and %d bytes are no whole number of samples", len(b)).At("audio")
	}
	for ; len(b) > 0; b = b[2:] {
		dst = append(dst, int16(binary.LittleEndian.Uint16(b)))
	}
	return dst, nil
}

// Encode appends samples to dst as PCM16 in little-endian order.
func Encode(dst []byte, samples []int16) []byte {
	for _, s := range samples {
		dst = binary.LittleEndian.AppendUint16(dst, uint16(s))
	}
	return dst
}

// Level returns how loud samples are in dBFS: the root of their mean square, where 0 is a
// square wave of full scale and −3 a sine of full scale. It is [Silent] for no sound at all.
func Level(samples []int16) float64 {
	sum := 0.0
	for _, s := range samples {
		sum += float64(s) * float64(s)
	}
	if sum == 0 {
		return Silent
	}
	return 10 * math.Log10(sum/float64(len(samples))/(32768*32768))
}

// Duration returns how long n samples take at a rate.
func Duration(n, rate int) time.Duration {
	return time.Duration(n) * time.Second / time.Duration(rate)
}

// clamp rounds v to a sample; what is beyond full scale becomes full scale.
func clamp(v float64) int16 {
	return int16(math.Round(min(max(v, math.MinInt16), math.MaxInt16)))
}
