package talk

import (
	"context"
	"encoding/json"
	"fmt"

	"quaestor/chat/voice"
	"quaestor/internal/audio"
)

// realtimeFormat is what a client of OpenAI Realtime sets.
type realtimeFormat struct {
	in, out string // audio/pcm of 24,000 samples a second, audio/pcmu or audio/pcma of 8,000
	push    bool   // the client ends utterances itself: turn_detection is null
	text    bool   // replies are text alone
}

// realtimeSettings are the settings of session.update that are served. A field that is left
// out stays as it is.
type realtimeSettings struct {
	Modalities []string `json:"output_modalities"`
	Audio      struct {
		Input struct {
			Format    json.RawMessage `json:"format"`
			Detection json.RawMessage `json:"turn_detection"`
		} `json:"input"`
		Output struct {
			Format json.RawMessage `json:"format"`
		} `json:"output"`
	} `json:"audio"`
}

// rates are the samples a second of the formats of sound.
var formatRates = map[string]int{"audio/pcm": realtimeRate, "audio/pcmu": telephoneRate, "audio/pcma": telephoneRate}

// shortFormats are names of formats that older clients use.
var shortFormats = map[string]string{"pcm16": "audio/pcm", "g711_ulaw": "audio/pcmu", "g711_alaw": "audio/pcma"}

// format returns the name of a format, or that of before when a client does not set it.
func formatOf(raw json.RawMessage, before string) (string, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return before, nil
	}
	var f struct {
		Type string `json:"type"`
		Rate int    `json:"rate"`
	}
	if json.Unmarshal(raw, &f.Type) == nil { // only the name
		f.Type = shortFormats[f.Type]
	} else if err := json.Unmarshal(raw, &f); err != nil {
		return "", fmt.Errorf("a format has a type and a rate")
	}
	rate, known := formatRates[f.Type]
	if !known || f.Rate != 0 && f.Rate != rate {
		return "", fmt.Errorf("a format is audio/pcm of 24000 samples a second, audio/pcmu or audio/pcma of 8000")
	}
	return f.Type, nil
}

// with returns f with the settings of a session.update.
func (f realtimeFormat) with(raw json.RawMessage) (realtimeFormat, error) {
	var s realtimeSettings
	if err := json.Unmarshal(raw, &s); err != nil {
		return f, fmt.Errorf("session is an object of settings")
	}
	var err error
	if f.in, err = formatOf(s.Audio.Input.Format, f.in); err != nil {
		return f, err
	}
	if f.out, err = formatOf(s.Audio.Output.Format, f.out); err != nil {
		return f, err
	}
	if len(s.Audio.Input.Detection) > 0 {
		f.push = string(s.Audio.Input.Detection) == "null"
	}
	if len(s.Modalities) > 0 {
		f.text = s.Modalities[0] == "text" && len(s.Modalities) == 1
	}
	return f, nil
}

// update takes settings. Call is nil before the call has begun.
func (c *realtimeCall) update(ctx context.Context, call *voice.Call, e realtimeEvent) error {
	c.mu.Lock()
	before := c.format
	now, err := before.with(e.Session)
	if err == nil {
		err = c.resampled(before, now)
	}
	c.mu.Unlock()
	if err != nil {
		return c.refuse(ctx, e, "invalid_value", err.Error())
	}
	if call != nil && now.push != before.push {
		c.pressed = false
		call.PushToTalk(now.push)
	}
	return c.emit(ctx, "session.updated", fields{"session": c.sessionBody()})
}

// resampled takes new formats. It must hold mu.
func (c *realtimeCall) resampled(before, now realtimeFormat) error {
	var err error
	if c.hears == nil || now.in != before.in {
		if c.hears, err = audio.NewResampler(formatRates[now.in], realtimeRate); err != nil {
			return err
		}
	}
	if c.speaks == nil || now.out != before.out {
		if c.speaks, err = audio.NewResampler(realtimeRate, formatRates[now.out]); err != nil {
			return err
		}
	}
	c.format = now
	return nil
}

// sessionBody is the session as OpenAI Realtime shows one.
func (c *realtimeCall) sessionBody() fields {
	c.mu.Lock()
	f := c.format
	c.mu.Unlock()
	var detection any
	if !f.push {
		detection = fields{"type": "server_vad", "create_response": true, "interrupt_response": true}
	}
	modality := "audio"
	if f.text {
		modality = "text"
	}
	format := func(name string) fields { return fields{"type": name, "rate": formatRates[name]} }
	return fields{"type": "realtime", "object": "realtime.session", "id": c.session.ID, "model": c.session.ID, "output_modalities": []string{modality},
		"audio": fields{
			"input":  fields{"format": format(f.in), "turn_detection": detection, "transcription": fields{"language": c.session.Language}},
			"output": fields{"format": format(f.out)},
		},
		"tools": []string{}, "tool_choice": "none"}
}

// decode returns the samples of sound in the client's format, at [realtimeRate].
func (c *realtimeCall) decode(data []byte) ([]int16, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var samples []int16
	switch c.format.in {
	case "audio/pcmu":
		samples = audio.DecodeMuLaw(nil, data)
	case "audio/pcma":
		samples = audio.DecodeALaw(nil, data)
	default:
		var err error
		if samples, err = audio.Decode(nil, data); err != nil {
			return nil, err
		}
	}
	return c.hears.Resample(nil, samples), nil
}

// encode returns samples of [realtimeRate] in the client's format. It must hold mu.
func (c *realtimeCall) encode(samples []int16) []byte {
	samples = c.speaks.Resample(nil, samples)
	switch c.format.out {
	case "audio/pcmu":
		return audio.EncodeMuLaw(nil, samples)
	case "audio/pcma":
		return audio.EncodeALaw(nil, samples)
	}
	return audio.Encode(nil, samples)
}
