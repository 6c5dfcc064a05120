package mcp

import (
	"context"
	"encoding/json"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"quaestor/web/ui"
)

// visibly takes what people cannot see out of all that tools answer: it comes from warehouses, documents and
// strangers, and models obey it.
func visibly(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		answer, err := next(ctx, method, req)
		result, ok := answer.(*sdk.CallToolResult)
		if !ok || result == nil {
			return answer, err
		}
		for _, c := range result.Content {
			if text, ok := c.(*sdk.TextContent); ok {
				text.Text = ui.Visible(text.Text)
			}
		}
		if body, ok := result.StructuredContent.(json.RawMessage); ok {
			result.StructuredContent = json.RawMessage(ui.Visible(string(body))) // none of it is part of JSON itself
		}
		return result, err
	}
}
