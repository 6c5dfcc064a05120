package messages

import "testing"

func TestX(t *testing.T) {
	for tag, l := range Languages() {
		t.Log(tag, l.Text("progress", Args{"n": Figure(0), "total": Figure(12), "far": Message{"share.half", nil}}), l.Text("list.also-more", Args{"n": Count(2), "list": And{"a", "b"}}))
	}
}
