package audio

import (
	"github.com/pion/opus"

	"quaestor/internal/fault"
)

// Bounds of a packet of Opus: what it may have, and how much sound that is at most (RFC 6716,
// 3.2.1 and 3.4).
const (
	MaxOpusPacket = 61_440 // bytes: 48 frames of 1,275, rounded up
	maxOpusSound  = 120    // ms
)

// OpusDecoder turns a stream of Opus packets into samples of one channel. It takes all three
// modes of the codec, SILK, CELT and both together, and packets of 2.5 to 120 ms.
type OpusDecoder struct {
	decoder opus.Decoder
	rate    int
	buffer  []int16
}

// NewOpusDecoder returns a decoder that gives samples of a rate of 8,000, 16,000, 24,000 or
// 48,000 a second, whatever the packets were made of; others are Unprocessable.
func NewOpusDecoder(rate int) (*OpusDecoder, error) {
	switch rate {
	case 8000, 16000, 24000, 48000:
	default:
		return nil, fault.New(fault.Unprocessable, "Opus is decoded to 8000, 16000, 24000 or 48000 samples a second, not %d", rate).At("rate")
	}
	d := &OpusDecoder{rate: rate, buffer: make([]int16, rate*maxOpusSound/1000)}
	return d, d.reset()
}

func (d *OpusDecoder) reset() (err error) {
	d.decoder, err = opus.NewDecoderWithOutput(d.rate, 1)
	return err
}

// Decode appends the samples of a packet to dst. A packet that is none is Unprocessable; the
// next one is decoded all the same.
func (d *OpusDecoder) Decode(dst []int16, packet []byte) (out []int16, err error) {
	if len(packet) == 0 || len(packet) > MaxOpusPacket {
		return dst, fault.New(fault.Unprocessable, "a packet of Opus has 1 to %d bytes, not %d", MaxOpusPacket, len(packet)).At("audio")
	}
	// What strangers send meets a decoder that is not ours: a fault in it must not end the server.
	defer func() {
		if recover() != nil {
			out, err = dst, errOpus()
			_ = d.reset() // its state is of no use any more; the rate is one that it takes
		}
	}()
	n, err := d.decoder.DecodeToInt16(packet, d.buffer)
	if err != nil {
		return dst, errOpus().Because(err)
	}
	return append(dst, d.buffer[:n]...), nil
}

func errOpus() *fault.Error {
	return fault.New(fault.Unprocessable, "this is no packet of Opus; each frame of sound is one, without a container").At("audio")
}
