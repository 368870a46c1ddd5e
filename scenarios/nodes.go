package scenarios

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
	"go.yaml.in/yaml/v4/plugin/loaderlimits"
)

// This file alone knows the YAML library. It turns bytes into a tree in which
// every value has its place, aliases and merge keys are resolved, and nothing
// is larger than it may be; all other files read that tree.

// What a file may hold. The limits are far above any scenario written by hand
// and stop the small files that unfold into gigabytes.
const (
	MaxFileBytes = 1 << 20 // of one file
	maxNodes     = 100_000 // values of one file, every alias counted as what it stands for
	maxDepth     = 32      // values inside values
	maxDocuments = 1000    // documents of one file
	maxCommas    = 50_000  // of one file, wherever they stand
)

type shape uint8

const (
	scalar shape = iota
	list
	mapping
)

// node is one value and where it was written. Nodes may be shared, so none is
// ever changed: see set.go for how a copy is made.
type node struct {
	shape     shape
	text      string  // of a scalar
	plain     bool    // a scalar without quotes: it may be a number or nothing at all
	keys      []*node // of a mapping, in the order written
	items     []*node // of a list, or the values of a mapping
	line, col int
	told      bool   // an error was told of it already, and it stands for nothing
	size      int    // how many values it holds, aliases unfolded
	flag      string // the flag that set it, "" if the file did
}

// get is the value of a key and nil if the mapping has no such key.
func (n *node) get(key string) *node {
	if n == nil || n.shape != mapping {
		return nil
	}
	for i, k := range n.keys {
		if k.text == key {
			return n.items[i]
		}
	}
	return nil
}

// empty is true for a value that was left out: nothing, ~ or null.
func (n *node) empty() bool {
	if n.shape != scalar || !n.plain {
		return false
	}
	switch n.text {
	case "", "~", "null", "Null", "NULL":
		return true
	}
	return false
}

// parseNodes reads the documents of a file. After a syntax error it goes on
// at the next document, so that the mistakes of all are told at once.
func parseNodes(file string, data []byte) (docs []*node, errs Errors) {
	c := composer{file: file, src: string(data)}
	if len(data) > MaxFileBytes {
		c.fail(0, 0, "the file has %d bytes, want at most %d", len(data), MaxFileBytes)
		return nil, c.errs
	}
	if line, col, what := unreadable(data); what != "" {
		c.fail(line, col, "%s, want text in UTF-8", what)
		return nil, c.errs
	}
	if line, what := crowded(data); what != "" {
		c.fail(line, 1, "%s, want fewer", what)
		return nil, c.errs
	}
	// A file with a hundred broken documents is no scenario file.
	for from := 0; from >= 0 && len(c.errs) < 100; {
		var more []*node
		more, from = c.documents(data, from)
		docs = append(docs, more...)
	}
	return docs, c.errs
}

// crowded finds where a file has more documents or values than it may hold. It
// counts marks, not meaning, since the library's time and memory grow with the
// square of some of them: it must not see such a file.
func crowded(data []byte) (line int, what string) {
	documents, commas := 0, 0
	for text := range bytes.Lines(data) {
		line++
		// Old Macs end their lines with a return alone; three dots end a document.
		documents += bytes.Count(text, []byte("\r---")) + bytes.Count(text, []byte("\r..."))
		if bytes.HasPrefix(text, []byte("---")) || bytes.HasPrefix(text, []byte("...")) {
			documents++
		}
		commas += bytes.Count(text, []byte(","))
		switch {
		case documents > maxDocuments:
			return line, fmt.Sprintf("the file has more than %d documents", maxDocuments)
		case commas > maxCommas:
			return line, fmt.Sprintf("the file has more than %d commas", maxCommas)
		}
	}
	return 0, ""
}

// unreadable finds the first byte that can't stand in a file of text.
func unreadable(data []byte) (line, col int, what string) {
	for i := 0; i < len(data) && what == ""; {
		r, size := utf8.DecodeRune(data[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			what = fmt.Sprintf("the byte 0x%02x is not UTF-8", data[i])
		case r < ' ' && r != '\t' && r != '\n' && r != '\r' || r >= 0x7F && r < 0xA0 && r != 0x85, r == 0xFFFE, r == 0xFFFF:
			what = fmt.Sprintf("there is a control character, %U", r)
		case r == '\ufeff' && i > 0:
			what = "there is a byte order mark inside the file"
		}
		if what != "" {
			lines := splitLines(string(data[:i]))
			line, col = len(lines), utf8.RuneCountInString(lines[len(lines)-1])+1
		}
		i += size
	}
	return line, col, what
}

// composer turns the library's nodes into ours.
type composer struct {
	file, src string
	errs      Errors
	total     int // values so far, aliases unfolded
	full      bool
	first     int                  // added to lines: where in the file the parser began
	made      map[*yaml.Node]*node // nil while it is being made
}

func (c *composer) fail(line, col int, format string, args ...any) {
	c.errs = c.errs.with(Error{c.file, line, col, fmt.Sprintf(format, args...), c.src})
}

// documents reads from the line with index from on. next is where to begin
// again after a syntax error, negative when there is no more.
func (c *composer) documents(data []byte, from int) (docs []*node, next int) {
	c.first = from
	limits := loaderlimits.New(loaderlimits.DepthFunc(func(depth int, _ *yaml.DepthContext) error {
		if depth > maxDepth {
			return errors.New("too deep")
		}
		return nil
	}))
	load, err := yaml.NewLoader(bytes.NewReader(skipLines(data, from)), yaml.WithUniqueKeys(false), yaml.WithPlugin(limits))
	if err != nil {
		c.fail(0, 0, "%v", err)
		return nil, -1
	}
	for {
		var y yaml.Node
		switch err := load.Load(&y); {
		case err == io.EOF:
			return docs, -1
		case err != nil:
			return docs, c.syntax(err)
		case len(y.Content) == 0:
			continue
		}
		c.made = map[*yaml.Node]*node{}
		n := c.compose(y.Content[0], 0)
		if c.total += n.size; c.total > maxNodes {
			c.overflow(y.Content[0])
		}
		if c.full {
			return docs, -1
		}
		docs = append(docs, n)
	}
}

func (c *composer) overflow(at *yaml.Node) {
	if !c.full {
		c.full = true
		c.fail(at.Line+c.first, at.Column, "the file holds more than %d values once its aliases are unfolded, want fewer", maxNodes)
	}
}

// compose is the node of y. What goes wrong is told once; the rest is read on.
func (c *composer) compose(y *yaml.Node, depth int) *node {
	n := &node{line: y.Line + c.first, col: y.Column, size: 1, plain: true}
	if done, ok := c.made[y]; ok {
		if done == nil {
			c.fail(n.line, n.col, "&%s contains itself, want a value without its own alias in it", y.Anchor)
			n.told = true
			return n
		}
		return done
	}
	if depth > maxDepth {
		c.fail(n.line, n.col, "values lie more than %d deep in each other, want fewer", maxDepth)
		n.told = true
		return n
	}
	c.made[y] = nil
	switch y.Kind {
	case yaml.AliasNode:
		n = c.compose(y.Alias, depth+1)
	case yaml.SequenceNode:
		n.shape = list
		for _, item := range y.Content {
			c.add(n, nil, c.compose(item, depth+1), item)
		}
	case yaml.MappingNode:
		n.shape = mapping
		c.mapping(n, y, depth)
	default:
		n.text = y.Value
		n.plain = y.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) == 0
		if y.Style&yaml.TaggedStyle != 0 {
			c.fail(n.line, n.col, "the tag %s is not known here, want a value without a tag", quote(y.Tag))
		}
	}
	c.made[y] = n
	return n
}

// add puts an item into a list, or a value into a mapping if it has a key.
func (c *composer) add(n, key, item *node, at *yaml.Node) {
	if n.size += item.size; n.size > maxNodes {
		c.overflow(at)
	}
	if c.full {
		return
	}
	if key != nil {
		n.keys = append(n.keys, key)
	}
	n.items = append(n.items, item)
}

// mapping reads keys and values; then what the merge keys bring for the keys
// that are not given, the first of several mappings first.
func (c *composer) mapping(n *node, y *yaml.Node, depth int) {
	given := map[string]int{}
	var merged []*yaml.Node
	for i := 0; i+1 < len(y.Content); i += 2 {
		k, v := c.compose(y.Content[i], depth+1), y.Content[i+1]
		n.size++
		if k.shape != scalar {
			c.fail(k.line, k.col, "a %s can't be a key, want a word", k.shape)
			continue
		}
		if line, again := given[k.text]; again {
			c.fail(k.line, k.col, "the key %s is given twice, first on line %d", quote(k.text), line)
			continue
		}
		given[k.text] = k.line
		if k.text == "<<" && k.plain {
			merged = append(merged, v)
			continue
		}
		c.add(n, k, c.compose(v, depth+1), v)
	}
	for _, v := range merged {
		several := []*node{c.compose(v, depth+1)}
		if several[0].shape == list {
			several = several[0].items
		}
		for _, m := range several {
			if m.shape != mapping {
				c.fail(v.Line+c.first, v.Column, "<< is a %s, want an alias of a mapping, or a list of them", m.shape)
				break
			}
			for i, k := range m.keys {
				if n.size++; c.full || n.size > maxNodes { // looking counts too
					c.overflow(v)
					return
				}
				if _, has := given[k.text]; !has {
					given[k.text] = k.line
					c.add(n, k, m.items[i], v)
				}
			}
		}
	}
}

func (s shape) String() string {
	return [...]string{"single value", "list", "mapping"}[s]
}

// syntax tells what the scanner or parser stumbled over, and where the next
// document begins.
func (c *composer) syntax(err error) (next int) {
	var at *yaml.LoadError
	if !errors.As(err, &at) || at.Mark.Line == 0 {
		c.fail(0, 0, "not valid YAML: %v", err)
		return -1
	}
	line, col := at.Mark.Line+c.first, at.Mark.Column
	if strings.HasPrefix(at.ContextMsg, "while scanning a quoted") && at.ContextMark.Line > 0 {
		// The end of the file is no help; where the quote opens is.
		line, col = at.ContextMark.Line+c.first, at.ContextMark.Column
	}
	lines := splitLines(c.src)
	var rest string
	if line <= len(lines) {
		rest = string([]rune(lines[line-1])[min(col-1, len([]rune(lines[line-1]))):])
	}
	where := fmt.Sprintf("on line %d", at.ContextMark.Line+c.first)
	c.fail(line, col, "%s", explain(at, where, rest))
	for i := max(at.Mark.Line+c.first-1, c.first+1); i < len(lines); i++ {
		if l := lines[i]; l == "---" || strings.HasPrefix(l, "--- ") {
			return i
		}
	}
	return -1
}

// explain says in a sentence of ours what the library found, for the slips
// that scenarios invite; where is the line on which the part began that it was
// in, rest the line from the place on.
func explain(e *yaml.LoadError, where, rest string) string {
	switch {
	case strings.Contains(e.Message, "too deep"):
		return fmt.Sprintf("values lie more than %d deep in each other, want fewer", maxDepth)
	case strings.HasPrefix(rest, "\t"), strings.Contains(e.Message, "tab character"):
		return "a tab stands where blanks belong, want blanks to indent"
	case e.ContextMsg == "while scanning an alias":
		return `a * outside quotes begins an alias, want "*" in quotes`
	case e.ContextMsg == "while scanning a block scalar":
		return `a > or | outside quotes begins a block of text, want the value in quotes, such as ">= 4.75"`
	case e.ContextMsg == "while scanning a quoted scalar":
		return "the quote that opens here is never closed"
	case strings.HasPrefix(e.Message, "mapping values"):
		return "a key can't begin here, want it on a line of its own, indented like its neighbours, or the text in quotes"
	case strings.Contains(e.Message, "cannot start any token") && rest != "":
		return fmt.Sprintf("%.1s can't begin a value, want the value in quotes", rest)
	case e.ContextMsg == "while parsing a flow mapping" && e.ContextMark.Line > 0:
		return fmt.Sprintf("the { that opens %s is not closed, want a comma or } before this", where)
	case e.ContextMsg == "while parsing a flow sequence" && e.ContextMark.Line > 0:
		return fmt.Sprintf("the [ that opens %s is not closed, want a comma or ] before this", where)
	case e.ContextMsg == "while parsing a flow node":
		return "a value is missing here, or a bracket before it is not closed"
	case strings.HasPrefix(e.Message, "unknown anchor '"):
		name, _, _ := strings.Cut(strings.TrimPrefix(e.Message, "unknown anchor '"), "'")
		return fmt.Sprintf("the alias *%s has no anchor, want &%s on an earlier value of this document", name, name)
	case e.ContextMsg != "":
		return fmt.Sprintf("not valid YAML: %s (%s)", e.Message, e.ContextMsg)
	}
	return "not valid YAML: " + e.Message
}
