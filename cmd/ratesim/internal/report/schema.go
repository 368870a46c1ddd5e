package report

import _ "embed"

// Schema is the JSON Schema of everything --json prints.
//
//go:embed output.schema.json
var Schema []byte
